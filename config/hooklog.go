package config

// The hooks' log: what their authors print, and what is wrong with them.

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"assent/surface/terminal"
)

// maxLog is how large the log grows before it begins anew, keeping the one before.
const maxLog = 1 << 20

// hookLog writes lines to a file, which it opens with the first.
type hookLog struct {
	path string

	mu   sync.Mutex
	f    *os.File
	size int64
}

func (l *hookLog) line(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil || l.size > maxLog {
		l.open()
	}
	if l.f == nil {
		return // a log that cannot be written holds nobody up
	}
	n, _ := fmt.Fprintf(l.f, "%s %s\n", time.Now().UTC().Format(time.RFC3339), inert(text))
	l.size += int64(n)
}

// inert is a text that does nothing to a terminal, and in which no line looks like one
// that begins an entry.
func inert(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = terminal.Escape(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n    ")
}

func (l *hookLog) open() {
	if l.f != nil {
		_ = l.f.Close()
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		_ = os.Rename(l.path, l.path+".1")
	}
	l.f, l.size = nil, 0
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	l.f = f
	if info, err := f.Stat(); err == nil {
		l.size = info.Size()
	}
}

func (l *hookLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		return nil
	}
	err := l.f.Close()
	l.f = nil
	return err
}
