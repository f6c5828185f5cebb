package roster

// Approver keys: Ed25519, made once, sealed with a passphrase if there is one.

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	"assent"
)

const (
	privateType = "ASSENT APPROVER KEY"
	maxName     = 64
)

// Key is an approver's private key. Printing it shows its fingerprint alone.
type Key struct {
	name    string
	private ed25519.PrivateKey
}

// Name is the name the key was made under.
func (k Key) Name() string { return k.name }

// Fingerprint names the key: what answers carry and the log shows.
func (k Key) Fingerprint() string { return Fingerprint(k.private.Public().(ed25519.PublicKey)) }

// String and GoString keep the secret out of prints and logs.
func (k Key) String() string   { return k.name + " " + k.Fingerprint() }
func (k Key) GoString() string { return k.String() }

// Fingerprint is "SHA256:" and the unpadded base64url of the public key's hash.
func Fingerprint(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return "SHA256:" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// Sign returns the key's signature of msg.
func (k Key) Sign(msg []byte) []byte { return ed25519.Sign(k.private, msg) }

// Prove returns the proof that the key's holder stands behind the signed bytes.
func (k Key) Prove(signed []byte) assent.Proof {
	return assent.Proof{Key: k.Fingerprint(), Signature: k.Sign(signed)}
}

// Create makes an approver key: the private half in the new file at path, sealed
// if there is a passphrase, the public half registered in the directory of a
// roster. It returns the public half. A name is made of lower-case
// letters, digits, "-" and "_"; ErrInvalid for others. A name or a path that is
// taken is an error, and nothing is overwritten.
func Create(dir, name, path string, passphrase []byte) (public ed25519.PublicKey, err error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	block, err := seal(name, private.Seed(), passphrase)
	if err != nil {
		return nil, err
	}
	if err := writeNew(path, pem.EncodeToMemory(block)); err != nil {
		return nil, err
	}
	if err := register(dir, name, public); err != nil {
		os.Remove(path) // a key that nobody knows is of no use
		return nil, err
	}
	return public, nil
}

func checkName(name string) error {
	plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
	if name == "" || len(name) > maxName || !plain || name[0] == '-' {
		return fmt.Errorf("the name %q is not made of a-z, 0-9, - and _: %w", name, assent.ErrInvalid)
	}
	return nil
}

// Load reads a private key that Create wrote. passphrase is called if the key is
// sealed; nil is nobody to ask. ErrForbidden when others may read the file, when
// it is sealed and the passphrase is missing or wrong; ErrInvalid when it is no
// approver key.
func Load(path string, passphrase func() ([]byte, error)) (Key, error) {
	block, err := readKey(path)
	if err != nil {
		return Key{}, err
	}
	var secret []byte
	if block.Headers["Kdf"] != "" && passphrase != nil {
		if secret, err = passphrase(); err != nil {
			return Key{}, err
		}
	}
	seed, err := open(block, secret)
	if err != nil {
		return Key{}, fmt.Errorf("key %s: %w", path, err)
	}
	return Key{name: block.Headers["Name"], private: ed25519.NewKeyFromSeed(seed)}, nil
}

func readKey(path string) (*pem.Block, error) {
	raw, err := readPrivate(path)
	if err != nil {
		return nil, err
	}
	block, rest := pem.Decode(raw)
	if block == nil || len(rest) > 0 || block.Type != privateType {
		return nil, fmt.Errorf("%s is no approver key (assent keys create): %w", path, assent.ErrInvalid)
	}
	return block, nil
}
