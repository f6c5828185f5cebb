package roster

// Sealing a private key with a passphrase: PBKDF2, then AES-256-GCM. Both are in the
// standard library: a memory-hard function would be better against guessing, and
// the one there is adds a tenth to the start of every hook process.

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/pem"
	"fmt"

	"assent"
)

// The cost of one guess at a passphrase. It is part of the format's name: other
// costs are another Kdf, so a file cannot ask for less work.
const (
	kdfName   = "pbkdf2-sha256-600000"
	kdfTimes  = 600_000
	saltSize  = 16
	nonceSize = 12
)

// seal puts the seed into a block, encrypted if there is a passphrase. The name
// is bound to what is encrypted.
func seal(name string, seed, passphrase []byte) (*pem.Block, error) {
	block := &pem.Block{Type: privateType, Headers: map[string]string{"Name": name}, Bytes: seed}
	if len(passphrase) == 0 {
		return block, nil
	}
	salt, nonce := make([]byte, saltSize), make([]byte, nonceSize)
	rand.Read(salt) // never fails: it would end the program
	rand.Read(nonce)
	box, err := lock(passphrase, salt)
	if err != nil {
		return nil, err
	}
	block.Headers["Kdf"] = kdfName
	block.Headers["Salt"] = base64.StdEncoding.EncodeToString(salt)
	block.Bytes = box.Seal(nonce, nonce, seed, []byte(name))
	return block, nil
}

func lock(passphrase, salt []byte) (cipher.AEAD, error) {
	key, err := pbkdf2.Key(sha256.New, string(passphrase), salt, kdfTimes, 32)
	if err != nil {
		return nil, err
	}
	c, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(c)
}

// open returns the seed in a block.
func open(block *pem.Block, passphrase []byte) ([]byte, error) {
	seed := block.Bytes
	if kdf := block.Headers["Kdf"]; kdf != "" {
		var err error
		if seed, err = unseal(block, kdf, passphrase); err != nil {
			return nil, err
		}
	}
	if len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("it does not hold a key: %w", assent.ErrInvalid)
	}
	return seed, nil
}

func unseal(block *pem.Block, kdf string, passphrase []byte) ([]byte, error) {
	salt, err := base64.StdEncoding.DecodeString(block.Headers["Salt"])
	if kdf != kdfName || err != nil || len(salt) != saltSize || len(block.Bytes) < nonceSize {
		return nil, fmt.Errorf("it is sealed in a way that this program does not know: %w", assent.ErrInvalid)
	}
	if len(passphrase) == 0 {
		return nil, fmt.Errorf("it is sealed, and no passphrase was given: %w", assent.ErrForbidden)
	}
	box, err := lock(passphrase, salt)
	if err != nil {
		return nil, err
	}
	nonce, sealed := block.Bytes[:nonceSize], block.Bytes[nonceSize:]
	seed, err := box.Open(nil, nonce, sealed, []byte(block.Headers["Name"]))
	if err != nil {
		return nil, fmt.Errorf("the passphrase is wrong, or the file was changed: %w", assent.ErrForbidden)
	}
	return seed, nil
}
