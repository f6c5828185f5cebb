package broker

// Linux: programs are started by descriptor, and stay what they are until they are.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// stamp is when a file was last changed; the zero one is not known.
type stamp = unix.Timespec

// start is what the program's directory is entered by.
func (p *place) start() string { return byDescriptor(p.f) }

func byDescriptor(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// steady is the path to start the program by, whose content is what was approved, and
// stays it until release: for who may not write it, or because a lease keeps writers
// waiting. Where neither can be had, or the file system may say one thing and another
// the next time, it is a sealed copy in memory. Once it runs, the kernel itself lets
// nobody write it.
func (h *held) steady() (path string, release func(), err error) {
	closeOthers()
	release, ok := h.still()
	if !ok {
		return h.copied()
	}
	if h.touched() {
		err = h.sameContent()
	}
	if err != nil {
		release()
		return "", nil, err
	}
	return byDescriptor(h.f), release, nil
}

// still keeps the file as it is until release, and reports whether that can be done.
func (h *held) still() (release func(), ok bool) {
	if !h.local() {
		return nil, false
	}
	if !h.writable() {
		return func() {}, true
	}
	if _, err := unix.FcntlInt(h.f.Fd(), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return nil, false // somebody has it open for writing, or it is another user's
	}
	return func() { _, _ = unix.FcntlInt(h.f.Fd(), unix.F_SETLEASE, unix.F_UNLCK) }, true // it ends with the descriptor anyway
}

// firm notes when the file was last changed, before its content is hashed, if nobody can
// be changing it: a change after that cannot be hidden.
func (h *held) firm() {
	release, ok := h.still()
	if !ok {
		return
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(h.f.Fd()), &st); err == nil && time.Since(time.Unix(st.Ctim.Unix())) > coarse {
		h.stamp = st.Ctim
	}
	release()
}

// coarse is more than the grain of any file system's clock.
const coarse = 3 * time.Second

// touched reports whether the content may be another since it was hashed.
func (h *held) touched() bool {
	var st unix.Stat_t
	return h.stamp == (unix.Timespec{}) || unix.Fstat(int(h.f.Fd()), &st) != nil || st.Ctim != h.stamp
}

// locals are file systems of the kernel's own, which keep what they were told.
var locals = []int64{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC,
	unix.OVERLAYFS_SUPER_MAGIC, unix.SQUASHFS_MAGIC, unix.EROFS_SUPER_MAGIC_V1, 0x2fc12fc1, // ZFS
}

func (h *held) local() bool {
	var fs unix.Statfs_t
	return unix.Fstatfs(int(h.f.Fd()), &fs) == nil && slices.Contains(locals, int64(fs.Type))
}

// writable reports whether this user could write the file, or let themselves.
func (h *held) writable() bool {
	var st unix.Stat_t
	if unix.Fstat(int(h.f.Fd()), &st) != nil || int(st.Uid) == os.Geteuid() || os.Geteuid() == 0 {
		return true
	}
	return unix.Faccessat(unix.AT_FDCWD, byDescriptor(h.f), unix.W_OK, unix.AT_EACCESS) == nil
}

// copied is a copy in memory that nobody can write.
func (h *held) copied() (path string, release func(), err error) {
	f, sum, err := inMemory(filepath.Base(h.path), io.NewSectionReader(h.f, 0, math.MaxInt64), unix.MFD_EXEC)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", h.path, err)
	}
	if sum != h.sum {
		f.Close()
		return "", nil, h.changed()
	}
	return byDescriptor(f), func() { f.Close() }, nil
}

const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL

// inMemory keeps a copy of what r has, sealed, and returns its hash.
func inMemory(name string, r io.Reader, flags int) (f *os.File, sum string, err error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|flags)
	if errors.Is(err, unix.EINVAL) { // a kernel that knows nothing of these flags
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, "", fmt.Errorf("memory: %w", err)
	}
	f = os.NewFile(uintptr(fd), name)
	h := sha256.New()
	if _, err = io.Copy(io.MultiWriter(f, h), r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals)
	}
	if err != nil {
		f.Close()
		return nil, "", err
	}
	return f, hex.EncodeToString(h.Sum(nil)), nil
}

// kept is a copy of what a program is to read.
func kept(r io.Reader) (*os.File, string, error) {
	return inMemory("stdin", r, unix.MFD_NOEXEC_SEAL)
}

// umask is that of this process, as the kernel tells it without changing it.
func umask() string {
	raw, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := bytes.Cut(raw, []byte("\nUmask:"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(bytes.TrimSpace(line))
}
