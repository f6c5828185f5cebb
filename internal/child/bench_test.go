//go:build unix

package child

// What a child costs, against starting the same program bare.

import (
	"os/exec"
	"testing"
)

var payload = make([]byte, 600)

func BenchmarkBare(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/bin/true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if r, err := Run(b.Context(), Spec{Args: []string{"/bin/true"}, Stdin: payload, Timeout: far}); err != nil || r.Exit != 0 {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkRunGuarded(b *testing.B) {
	g := &Guard{Command: []string{"/bin/cat"}}
	defer g.Close()
	for b.Loop() {
		if r, err := Run(b.Context(), Spec{Args: []string{"/bin/true"}, Stdin: payload, Timeout: far, Guard: g}); err != nil || r.Exit != 0 {
			b.Fatal(r, err)
		}
	}
}
