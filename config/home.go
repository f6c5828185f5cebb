package config

// The home: one private directory that holds everything assent keeps.

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"assent"
	"assent/internal/seal"
	"assent/serve"
)

// Home is where assent keeps its database, sockets, keys and log.
type Home struct {
	Dir  string // absolute
	User string // the user's home directory, as the environment says; empty when there is none

	fixed bool // by At: the environment is not believed
}

// Locate finds the home: ASSENT_HOME, or ~/.assent. env looks up the process's
// environment. ErrInvalid when neither ASSENT_HOME nor HOME says where.
func Locate(env func(string) string) (Home, error) {
	home := env("HOME")
	if home == "" {
		home = env("USERPROFILE")
	}
	dir := env("ASSENT_HOME")
	if dir == "" && home != "" {
		dir = filepath.Join(home, ".assent")
	}
	if !filepath.IsAbs(dir) {
		return Home{}, fmt.Errorf("cannot tell where assent's home is: set ASSENT_HOME or HOME to an absolute path: %w", assent.ErrInvalid)
	}
	return Home{Dir: filepath.Clean(dir), User: home}, nil
}

// At is the home in a directory that was fixed beforehand: nothing of the
// environment moves it, and it has no User. ErrInvalid for a relative path.
func At(dir string) (Home, error) {
	if !filepath.IsAbs(dir) {
		return Home{}, fmt.Errorf("%q is not the absolute path of a home: %w", dir, assent.ErrInvalid)
	}
	return Home{Dir: filepath.Clean(dir), fixed: true}, nil
}

// The files of the home.
func (h Home) Config() string     { return filepath.Join(h.Dir, "config.yaml") }
func (h Home) Database() string   { return filepath.Join(h.Dir, "assent.db") }
func (h Home) Tokens() string     { return filepath.Join(h.Dir, "tokens") } // a file for each facet
func (h Home) Approvers() string  { return filepath.Join(h.Dir, "approvers") }
func (h Home) Address() string    { return filepath.Join(h.Dir, "http.addr") }
func (h Home) KeyFile() string    { return filepath.Join(h.Dir, "assent.key") }
func (h Home) configSeen() string { return filepath.Join(h.Dir, "config.seen") }
func (h Home) clock() string      { return filepath.Join(h.Dir, "clock") }
func (h Home) limit() string      { return filepath.Join(h.Dir, "hooks.limit") }
func (h Home) lock() string       { return filepath.Join(h.Dir, "lock") }
func (h Home) holderFile() string { return filepath.Join(h.Dir, "lock.json") }

// Key is the home's own key: with it assent signs what it writes. Nothing is read before
// it is used.
func (h Home) Key() *seal.Key { return seal.Open(h.KeyFile()) }

// Places are the directories that facts about actions speak of. Where the home is
// fixed, the user's own is looked up, which only who judges by itself needs.
func (h Home) Places() assent.Places {
	p := assent.Places{Home: h.User, Assent: h.Dir}
	if h.fixed {
		if u, err := user.LookupId(strconv.Itoa(os.Getuid())); err == nil {
			p.Home = u.HomeDir
		}
	}
	return p
}

// maxSocket is the longest path that a unix socket can have on every system.
const maxSocket = 100

// sockets are the names of the server's unix sockets, none longer than the first.
var sockets = serve.PerFacet{serve.Requester: "assent.sock", serve.Holder: "hold.sock", serve.Granter: "grant.sock", serve.Auditor: "audit.sock"}

// Sockets are the paths of the server's unix sockets, one for each facet. A home with a
// path too long for a socket has them in a private directory under the temporary one,
// which no variable moves: whoever looks for the server must look in the same place.
func (h Home) Sockets() serve.PerFacet {
	dir := h.socketDir()
	at := sockets
	for f, name := range at {
		at[f] = filepath.Join(dir, name)
	}
	return at
}

// Socket is the path of the one that hooks ask at.
func (h Home) Socket() string { return h.Sockets()[serve.Requester] }

func (h Home) socketDir() string {
	if len(filepath.Join(h.Dir, sockets[serve.Requester])) <= maxSocket {
		return h.Dir
	}
	sum := sha256.Sum256([]byte(h.Dir))
	return filepath.Join(temporary(), "assent-"+hex.EncodeToString(sum[:8]))
}

// Client speaks to the home's server, and to nobody in its place.
func (h Home) Client() *serve.Client { return serve.Dial(h.Sockets(), h.genuine) }

// Make creates the home where it is missing, and refuses one that others could
// read or write. So it does with the sockets' directory, if there is one already:
// whoever listens there is believed.
func (h Home) Make() error {
	there, err := private(h.Dir)
	if err == nil && !there {
		err = makePrivate(h.Dir)
	}
	if err != nil || h.socketDir() == h.Dir {
		return err
	}
	_, err = private(h.socketDir())
	return err
}

// makePrivate makes a directory, and makes sure that it is the one it made.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make %s: %w", dir, err)
	}
	_, err := private(dir)
	return err
}

// private reports whether there is a directory, and refuses one that is not this
// user's alone.
func private(dir string) (there bool, err error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("cannot look at %s: %w", dir, err)
	case !info.IsDir():
		return true, fmt.Errorf("%s is not a directory: move it away, or set ASSENT_HOME: %w", dir, assent.ErrForbidden)
	case info.Mode().Perm()&0o077 != 0 && !windows:
		return true, fmt.Errorf("%s is open to other users (mode %04o): run chmod 700 %s: %w", dir, info.Mode().Perm(), dir, assent.ErrForbidden)
	}
	return true, owned(dir, info)
}

// EnsureTokens returns the tokens of the HTTP door, making on first use what is
// missing.
func (h Home) EnsureTokens() (all serve.PerFacet, err error) {
	if err := makePrivate(h.Tokens()); err != nil {
		return all, err
	}
	for f := range all {
		if all[f], err = ensureToken(filepath.Join(h.Tokens(), serve.Facet(f).String())); err != nil {
			return all, err
		}
	}
	return all, nil
}

func ensureToken(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err == nil && len(strings.TrimSpace(string(raw))) >= 32 {
		return strings.TrimSpace(string(raw)), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("cannot read the token: %w", err)
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	token := "assent_http_" + hex.EncodeToString(secret)
	return token, writeFile(path, []byte(token+"\n"), 0o600)
}

// writeFile replaces a file whole: a reader sees the old content or the new.
func writeFile(path string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

// removed takes what was not there for removed.
func removed(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
