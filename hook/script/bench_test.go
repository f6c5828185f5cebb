//go:build unix

package script

// What a hook costs, against starting the same program bare.

import (
	"os/exec"
	"testing"

	"assent"
	"assent/hook"
	"assent/hook/consent"
)

func BenchmarkBare(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/bin/true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHook(b *testing.B) {
	list := consent.Open(b.TempDir()+"/"+consent.Name, "")
	if err := list.Allow(assent.PreToolCall, "/bin/true", ""); err != nil {
		b.Fatal(err)
	}
	e, _ := New(Spec{Event: assent.PreToolCall, Command: "/bin/true"}, Host{Consent: list.Look})
	d := hook.New(hook.Options{}, e)
	c := assent.Case{Event: assent.Event{Name: assent.PreToolCall, Tool: assent.ToolShell, Dir: b.TempDir(), Input: []byte(`{"command":"ls"}`)}}
	for b.Loop() {
		if r, err := d.Judge(b.Context(), c); err != nil || r.Parts[0].Fault != "" {
			b.Fatal(r, err)
		}
	}
}
