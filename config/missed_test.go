package config

// A configuration that vanished is a failure, and nothing else is.

import (
	"errors"
	"os"
	"testing"

	"assent"
)

func TestAdversarial16AConfigurationThatIsGoneIsMissed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h, err := At(dir + "/home")
	if err != nil {
		t.Fatal(err)
	}
	ok := func(when string) {
		t.Helper()
		if _, err := h.Load(); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
	}
	missed := func(when string) {
		t.Helper()
		if _, err := h.Load(); !errors.Is(err, assent.ErrInvalid) {
			t.Fatalf("%s: %v", when, err)
		}
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(h.Config(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ok("there is no home")
	if err := h.Make(); err != nil {
		t.Fatal(err)
	}
	ok("there never was one")
	write("")
	ok("it never held anything")
	write("rules: [{deny: {program: rm}}]\n")
	ok("there is one")
	write("")
	missed("it was emptied")
	if err := os.Remove(h.Config()); err != nil {
		t.Fatal(err)
	}
	missed("it was deleted")
	write("# nothing\n")
	ok("there is to be nothing in it")
}
