// Package seal is the home's own key: with it assent signs the records that give
// authority, marks its rows, and derives handles. Who writes into the database
// without it makes nothing that counts.
//
// It never shows the key, never replaces one that is there, and reads nothing before
// it is first needed. Each purpose has a key of its own, so that what is signed for
// one of them is nothing for another.
//
//	key := seal.Open(filepath.Join(home, "key"))
//	sig, err := key.Sign(record)             // makes the key in a fresh home
//	ok, err := key.Signed(record, sig)       // false under another key
//	secret, err := key.Derive("handle", nonce) // the same again for the same nonce
package seal

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"assent"
)

var _ assent.Witness = (*Key)(nil)

// Key is a home's key. It may be used concurrently, also by many processes. What was
// read once is kept: a file that changes later is noticed by the next process.
type Key struct {
	path string

	mu   sync.Mutex
	keys *keys // nil before it was needed
}

// keys are the key and what comes of it.
type keys struct {
	root   []byte
	record ed25519.PrivateKey
	mark   []byte
}

// Open names the key in the file at path, and does not look at it.
func Open(path string) *Key { return &Key{path: path} }

// Exists reports whether there is a key. An error: there is something that must not
// be taken for one, and its text says what to do.
func (k *Key) Exists() (bool, error) {
	keys, err := k.look()
	return keys != nil || err != nil, err
}

// Sign signs msg, with the key that is for records alone. Where there is no key it
// makes one.
func (k *Key) Sign(msg []byte) ([]byte, error) {
	keys, err := k.make()
	if err != nil {
		return nil, err
	}
	return ed25519.Sign(keys.record, msg), nil
}

// Signed reports whether sig is Sign's over msg. Where there is no key nothing was
// signed: false, and none is made.
func (k *Key) Signed(msg, sig []byte) (bool, error) {
	keys, err := k.look()
	if keys == nil || err != nil {
		return false, err
	}
	return ed25519.Verify(keys.record.Public().(ed25519.PublicKey), msg, sig), nil
}

// Mark is the HMAC-SHA-256 of msg. Where there is no key it makes one.
func (k *Key) Mark(msg []byte) ([]byte, error) {
	keys, err := k.make()
	if err != nil {
		return nil, err
	}
	return sum(keys.mark, msg), nil
}

// Derive returns 32 bytes that nobody guesses without the key, and always the same
// for a purpose and a nonce. Where there is no key it makes one.
func (k *Key) Derive(purpose string, nonce []byte) ([]byte, error) {
	keys, err := k.make()
	if err != nil {
		return nil, err
	}
	return sum(keys.sub("derive", purpose), nonce), nil
}

// Public is what Sign's signatures are verified with. ErrNotFound where there is no
// key yet.
func (k *Key) Public() (ed25519.PublicKey, error) {
	keys, err := k.need()
	if err != nil {
		return nil, err
	}
	return keys.record.Public().(ed25519.PublicKey), nil
}

// SignFor signs msg with the key of a purpose, such as "receipt". Where there is no
// key it makes one.
func (k *Key) SignFor(purpose string, msg []byte) ([]byte, error) {
	keys, err := k.make()
	if err != nil {
		return nil, err
	}
	return ed25519.Sign(keys.signer(purpose), msg), nil
}

// PublicFor is what SignFor's signatures for a purpose are verified with. ErrNotFound
// where there is no key yet.
func (k *Key) PublicFor(purpose string) (ed25519.PublicKey, error) {
	keys, err := k.need()
	if err != nil {
		return nil, err
	}
	return keys.signer(purpose).Public().(ed25519.PublicKey), nil
}

// Format prints where the key is, whatever the verb.
func (k *Key) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "the key in %s", k.path) }

// look returns the keys; nil where there is no file.
func (k *Key) look() (*keys, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys != nil {
		return k.keys, nil
	}
	root, err := read(k.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	k.keys = derive(root)
	return k.keys, nil
}

// make is look, after a key was made where there was none.
func (k *Key) make() (*keys, error) {
	keys, err := k.look()
	if keys != nil || err != nil {
		return keys, err
	}
	if err := create(k.path); err != nil {
		return nil, err
	}
	return k.need() // whoever was first, it is their key that counts
}

func (k *Key) need() (*keys, error) {
	keys, err := k.look()
	if err == nil && keys == nil {
		err = fmt.Errorf("there is no key in %s yet; it is made when something is first signed: %w", k.path, assent.ErrNotFound)
	}
	return keys, err
}

func derive(root []byte) *keys {
	keys := &keys{root: root}
	keys.record = ed25519.NewKeyFromSeed(keys.sub("record", ""))
	keys.mark = keys.sub("mark", "")
	return keys
}

func (k *keys) signer(purpose string) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(k.sub("sign", purpose))
}

// sub is the key of one kind and purpose: HKDF of the root, which is uniform already
// and needs no extraction.
func (k *keys) sub(kind, purpose string) []byte {
	key, err := hkdf.Expand(sha256.New, k.root, "assent-key-1\x00"+kind+"\x00"+purpose, 32)
	if err != nil {
		panic(err) // only for lengths that HKDF cannot give
	}
	return key
}

func sum(key, msg []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(msg)
	return h.Sum(nil)
}
