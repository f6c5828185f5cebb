package approve

// The source of a hook: the content that decides.

import (
	"crypto/sha256"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"

	"assent/hook/consent"
	"assent/internal/post"
)

// source is a hook by the content that decides: its name, and the beginning of the
// content's SHA-256; empty where there is nothing to be read.
type source struct{ name, digest string }

func (s source) id() string {
	if s.digest == "" {
		return s.name + "@missing"
	}
	return s.name + "@" + s.digest
}

// source reads the hook as it is now. Where no file decides, the line itself does.
func (c Custom) source() source {
	if post.IsURL(c.Command) {
		host := "url"
		if to, err := url.Parse(c.Command); err == nil && to.Host != "" {
			host = to.Host
		}
		return source{host, digest([]byte(c.Command))}
	}
	place := consent.Place{Home: c.Home, Dir: c.Dir}
	args, err := place.Words(c.Command)
	if err != nil {
		return source{name: "hook"}
	}
	path := place.Script(c.Command)
	if filepath.Base(path) == args[0] { // a bare name: it is found where programs are
		path, _ = exec.LookPath(args[0])
	}
	if path != "" {
		return source{filepath.Base(path), contentOf(path)}
	}
	return source{filepath.Base(args[0]), digest([]byte(c.Command))}
}

// contentOf is the beginning of a file's hash; empty where it cannot be read.
func contentOf(path string) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "" // a pipe would wait for a writer
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return short(h.Sum(nil))
}
