package shell

// The corpus: command lines, and the programs they would run.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assent"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// TestCorpus parses every line of testdata that starts with "$ ". The lines
// after it are the programs, one a line, and what is not known, after "!".
// The sign ⏎ stands for a line end; ada works in /work and lives in /home/ada.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range a.Files {
			have := dump(string(f.Data))
			if have != string(f.Data) && !*update {
				t.Errorf("%s, %s:\n%s\nis not\n%s", name, f.Name, have, f.Data)
			}
			a.Files[i].Data = []byte(have)
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// dump answers the "$ " lines of one part.
func dump(part string) string {
	var b strings.Builder
	for line := range strings.Lines(part) {
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
		if !ok {
			continue
		}
		b.WriteString("$ " + text + "\n")
		s := Parse(strings.ReplaceAll(text, "⏎", "\n"), "/work", "/home/ada")
		for _, c := range s.Commands {
			b.WriteString("  " + strings.ReplaceAll(shown(c), "\n", "⏎") + "\n")
		}
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "  ! %s: %s\n", f.Code, f.Note)
		}
	}
	return b.String()
}

func shown(c assent.Command) string {
	var b strings.Builder
	for _, a := range c.Env {
		b.WriteString(a.Name + "=" + word(a.Value) + " ")
	}
	if c.Name == "" {
		b.WriteString("? ")
	} else {
		b.WriteString(c.Name)
	}
	for _, a := range c.Args {
		b.WriteString(" " + word(a))
	}
	for _, r := range c.Redirects {
		b.WriteString(" " + r.Op + word(r.Target))
	}
	for _, note := range []struct{ name, value string }{
		{"via", strings.Join(c.Via, ",")}, {"in", c.Dir}, {"pipe", pipe(c)}, {"fed", fed(c)},
	} {
		if note.value != "" && note.value != "/work" {
			b.WriteString("   " + note.name + ":" + note.value)
		}
	}
	if c.Dir == "" {
		b.WriteString("   in:?")
	}
	return b.String()
}

func pipe(c assent.Command) string {
	if c.Pipe == 0 {
		return ""
	}
	return strconv.Itoa(c.Pipe) + "." + strconv.Itoa(c.Stage)
}

func fed(c assent.Command) string {
	if c.Stdin == nil {
		return ""
	}
	return word(*c.Stdin)
}

// word shows a value; "…" follows the start of one that is not known.
func word(w assent.Word) string {
	s := w.Value
	if s == "" && w.Known || strings.ContainsAny(s, " '\"\n\t") {
		s = strconv.Quote(s)
	}
	if !w.Known {
		s += "…"
	}
	return s
}
