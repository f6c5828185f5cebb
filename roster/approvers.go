package roster

// The registered approvers: one public key a file, in one private directory.

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assent"
)

const (
	publicExt    = ".pub"
	publicType   = "ASSENT APPROVER PUBLIC KEY"
	maxApprovers = 1000
)

// Approver is one registered key.
type Approver struct {
	Name        string            `json:"name"`
	Fingerprint string            `json:"fingerprint"`
	Public      ed25519.PublicKey `json:"public"`
	Path        string            `json:"path"`
}

// Approvers lists the registered keys by name. Files that are no public key are
// left out. ErrForbidden when others than the owner may read or change the
// directory or a key in it.
func (r *Roster) Approvers() ([]Approver, error) {
	if err := private(r.dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	files, err := os.ReadDir(r.dir)
	if err != nil {
		return nil, fmt.Errorf("approvers: %v: %w", err, assent.ErrForbidden)
	}
	var all []Approver
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), publicExt) {
			continue
		}
		if len(all) == maxApprovers {
			return nil, fmt.Errorf("more than %d approver keys in %s: %w", maxApprovers, r.dir, assent.ErrForbidden)
		}
		a, ok, err := readApprover(filepath.Join(r.dir, f.Name()))
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, a)
		}
	}
	return all, nil
}

func readApprover(path string) (Approver, bool, error) {
	raw, err := readPrivate(path)
	if err != nil {
		return Approver{}, false, err
	}
	block, rest := pem.Decode(raw)
	if block == nil || len(rest) > 0 || block.Type != publicType || len(block.Bytes) != ed25519.PublicKeySize {
		return Approver{}, false, nil
	}
	return Approver{
		Name:        strings.TrimSuffix(filepath.Base(path), publicExt),
		Fingerprint: Fingerprint(block.Bytes),
		Public:      block.Bytes,
		Path:        path,
	}, true, nil
}

// register writes the public key of a new approver.
func register(dir, name string, public ed25519.PublicKey) error {
	if err := makePrivate(dir); err != nil {
		return err
	}
	block := &pem.Block{Type: publicType, Headers: map[string]string{"Name": name}, Bytes: public}
	return writeNew(filepath.Join(dir, name+publicExt), pem.EncodeToMemory(block))
}

// Remove takes the approver with this name out: its key counts no more. The
// private key stays where it is. ErrNotFound if there is none.
func (r *Roster) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(r.dir, name+publicExt))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("approver %q: %w", name, assent.ErrNotFound)
	}
	return err
}
