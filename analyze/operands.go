package analyze

// Operands: files that would be run as code, bound by their content.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"assent"
)

// Unbound is the code of a file that is run as code and not bound by content.
const Unbound = "code.unbound"

// Limits of what is read to bind operands.
const (
	MaxOperand  = 1 << 20 // bytes of one file
	MaxOperands = 16      // files of one call
)

// bind hashes the files that the commands run as code. Those that do not exist
// or are not regular files are left out: running them fails, or is nothing that
// content could bind.
func bind(c assent.Case) ([]assent.Operand, []assent.Finding) {
	var out []assent.Operand
	var found []assent.Finding
	seen := map[string]bool{}
	each(c, func(cmd assent.Command) {
		w, ok := script(cmd)
		if !ok {
			w, ok = input(cmd)
		}
		if !ok {
			return
		}
		full, known := where(cmd, w, c.Places)
		if !known || seen[full] || !strings.HasPrefix(full, "/") || held(c, full) {
			return
		}
		seen[full] = true
		note := "It runs " + full + " as code, which is too large to be bound by its content."
		if len(seen) > MaxOperands {
			note = "It runs more files as code than are bound by their content."
		} else if sum, fits := hash(full); fits {
			if sum != "" {
				out = append(out, assent.Operand{Path: full, SHA256: sum})
			}
			return
		}
		found = append(found, assent.Finding{By: "operands", Code: Unbound, Target: full, Note: note, Span: cmd.Span})
	})
	slices.SortFunc(out, func(a, b assent.Operand) int { return strings.Compare(a.Path, b.Path) })
	return out, found
}

// input is the file from which an interpreter is fed by redirection.
func input(cmd assent.Command) (assent.Word, bool) {
	if _, ok := interpreter(cmd.Name); !ok && !isShell(cmd.Name) {
		return assent.Word{}, false
	}
	for _, r := range cmd.Redirects {
		if r.Op == "<" && r.Target.Known {
			return r.Target, true
		}
	}
	return assent.Word{}, false
}

// hash returns the SHA-256 of a regular file, empty when there is none. It
// reports false when the file is too large or cannot be read.
func hash(full string) (string, bool) {
	// non-blocking: a pipe that stands where a file is expected must not stop us
	f, err := os.OpenFile(full, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil { // what is not there cannot be run; what may not be read can
		return "", !errors.Is(err, fs.ErrPermission)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", true
	}
	if info.Size() > MaxOperand {
		return "", false
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, MaxOperand+1))
	if err != nil || n > MaxOperand {
		return "", false
	}
	return hex.EncodeToString(h.Sum(nil)), true
}
