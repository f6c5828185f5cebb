package analyze

// Uploads: files and streams that leave the machine.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var uploads = assent.Analyzer{
	Name:  "uploads",
	Doc:   "Says which commands send files to another machine, or delete there.",
	Codes: []string{"net.upload", "net.delete"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if host, ok := deletesAt(cmd); ok && !loopback(host) {
				out = append(out, assent.Finding{By: "uploads", Code: "net.delete", Target: host, Note: "It deletes something on another machine" + to(host) + ".", Span: cmd.Span})
			}
			if host, ok := uploadsTo(cmd); ok && !loopback(host) {
				out = append(out, assent.Finding{By: "uploads", Code: "net.upload", Target: host, Note: "It sends data to another machine" + to(host) + ".", Span: cmd.Span})
			}
		})
		return out
	},
}

func to(host string) string {
	if host == "" {
		return ""
	}
	return ", " + host
}

func loopback(host string) bool {
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1" || host == "0.0.0.0" || strings.HasSuffix(host, ".localhost")
}

// sends are options whose value is a file to send, if it starts as said.
var sends = []struct{ prog, options, start string }{
	{"curl", "d data data-binary data-ascii data-urlencode json", "@"},
	{"curl", "F form", "=@"},
	{"curl", "T upload-file", ""},
	{"wget", "post-file body-file", ""},
}

func uploadsTo(cmd assent.Command) (string, bool) {
	switch cmd.Name {
	case "curl", "wget":
		return webUpload(cmd)
	case "scp", "rsync":
		a := programs.Read(cmd)
		if len(a.Operands) < 2 || a.Option("--help --version -n --dry-run") {
			return "", false
		}
		return remote(a.Operands[len(a.Operands)-1])
	case "nc", "ncat", "netcat", "socat":
		a := programs.Read(cmd)
		fed := cmd.Stage > 0 || slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return r.Op == "<" })
		if !fed || a.Option("-l --listen -z") {
			return "", false
		}
		return a.Word(0), true
	}
	return "", false
}

func webUpload(cmd assent.Command) (string, bool) {
	a := programs.Read(cmd)
	host, found := "", false
	for _, w := range slices.Concat(a.Operands, a.Values("url")) {
		if h, _, ok := url(w); ok {
			host = h
		}
	}
	for _, s := range sends {
		if s.prog != cmd.Name {
			continue
		}
		for _, w := range a.Values(s.options) {
			switch s.start {
			case "=@":
				found = found || strings.Contains(w.Value, "=@") || strings.Contains(w.Value, "=<")
			default:
				typed := w.Value == "@-" && cmd.Stdin != nil && cmd.Stdin.Known
				found = found || strings.HasPrefix(w.Value, s.start) && !typed
			}
		}
	}
	return host, found
}

// deletesAt is the host of a request with the method DELETE.
func deletesAt(cmd assent.Command) (string, bool) {
	a := programs.Read(cmd)
	host := ""
	switch cmd.Name {
	case "curl", "wget":
		for _, w := range a.Operands {
			if h, _, ok := url(w); ok {
				host = h
			}
		}
	case "gh":
		if a.Word(0) != "api" {
			return "", false
		}
		host = "api.github.com"
	case "http", "https", "xh":
		return host, a.Word(0) == "DELETE"
	default:
		return "", false
	}
	return host, slices.ContainsFunc(a.Values("X request method"), func(w assent.Word) bool { return strings.EqualFold(w.Value, "DELETE") })
}

// remote reads the host of "host:path" and "rsync://host/path".
func remote(w assent.Word) (string, bool) {
	if strings.Contains(w.Value, "://") {
		host, _, ok := url(w)
		return host, ok
	}
	before, _, ok := strings.Cut(w.Value, ":")
	if !ok || before == "" || strings.Contains(before, "/") {
		return "", false
	}
	if i := strings.LastIndexByte(before, '@'); i >= 0 {
		before = before[i+1:]
	}
	return before, true
}
