package consent

// Hashes: of scripts, read again only when a script may be another.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"
)

// tick is how old a file's last change must be for its identity to tell the next
// change from it: clocks of file systems are coarse.
const tick = 100 * time.Millisecond

// identity is what changes when a file's content does. The zero identity is no
// file's.
type identity struct {
	size          int64
	mtime         int64 // nanoseconds
	ctime         int64 // nanoseconds; 0 where there is none
	device, inode uint64
}

// hashed is the hash of a file as it was.
type hashed struct {
	of  identity
	sum string
}

// settled reports whether a file has not been changed just now.
func settled(i identity, now time.Time) bool {
	return now.Sub(time.Unix(0, max(i.mtime, i.ctime))) > tick
}

func identify(path string) (identity, error) {
	info, err := os.Stat(path)
	if err != nil {
		return identity{}, err
	}
	return identityOf(info), nil
}

// hash is the SHA-256 of a regular file, in hex.
func (f *File) hash(path string) (string, error) {
	is, err := identify(path)
	if err != nil {
		return "", err
	}
	if h, ok := f.hashes[path]; ok && h.of == is {
		return h.sum, nil
	}
	sum, is, err := sumOf(path)
	if err != nil {
		return "", err
	}
	delete(f.hashes, path)
	if settled(is, f.now()) {
		f.hashes[path] = hashed{is, sum}
	}
	return sum, nil
}

// sumOf hashes a file, and identifies the one that it has hashed.
func sumOf(path string) (string, identity, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", identity{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err != nil {
		return "", identity{}, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", identity{}, err
	}
	return hex.EncodeToString(h.Sum(nil)), identityOf(info), nil
}
