package shell

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDbg(t *testing.T) {
	f, err := os.Open("/tmp/dbg.txt")
	if err != nil {
		t.Skip()
	}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := strings.ReplaceAll(sc.Text(), "⏎", "\n")
		if line == "" {
			continue
		}
		s := Parse(line, "/work/repo", "/home/ada")
		fmt.Println("$", line)
		for _, c := range s.Commands {
			fmt.Printf("    %s", c.Name)
			if c.Name == "" {
				fmt.Printf("<%s>", c.Program.Text)
			}
			for _, a := range c.Args {
				if a.Known {
					fmt.Printf(" %q", a.Value)
				} else {
					fmt.Printf(" ?%q", a.Value)
				}
			}
			if c.Dir != "/work/repo" {
				fmt.Printf(" dir=%q", c.Dir)
			}
			if len(c.Via) > 0 {
				fmt.Printf(" via=%v", c.Via)
			}
			for _, r := range c.Redirects {
				fmt.Printf(" %s[%q %v]", r.Op, r.Target.Value, r.Target.Known)
			}
			for _, r := range c.Env {
				fmt.Printf(" {%s=%q}", r.Name, r.Value.Value)
			}
			if c.Pipe > 0 {
				fmt.Printf(" p%d.%d", c.Pipe, c.Stage)
			}
			if c.Stdin != nil {
				fmt.Printf(" in=%q", c.Stdin.Value)
			}
			fmt.Printf(" @%d-%d\n", c.Span.From, c.Span.To)
		}
		for _, f := range s.Findings {
			fmt.Printf("    !! %s %s @%d-%d\n", f.Code, f.Note, f.Span.From, f.Span.To)
		}
	}
}
