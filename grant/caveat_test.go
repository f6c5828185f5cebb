package grant_test

// The laws of caveats: one spelling each, and never more than the parent.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent"
	"assent/analyze"
	"assent/grant"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

var digest = strings.Repeat("ab", 32)

// every is one caveat of each kind.
var every = []grant.Caveat{
	{Until: noon}, {Digest: digest}, {Tool: "shell"}, {Program: "git push"}, {Under: "/srv/shop"}, {Dir: "/srv/shop"}, {Session: "s/1"},
	{Process: &assent.Process{PID: 812, Start: 99, Boot: "b"}},
}

// wired is a narrowed handle with these bytes for caveats.
func wired(wire ...[]byte) string { return join(make([]byte, 32), concat(wire...), make([]byte, 32)) }

func one(kind byte, value string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{kind}, uint16(len(value))), value...)
}

// What stands in a handle has one meaning, and what has none is refused: a kind that a
// later program will know as well.
func TestAdversarial17OneSpellingOfACaveat(t *testing.T) {
	t.Parallel()
	good := one(3, "shell")
	if _, err := grant.Parse(wired(good)); err != nil {
		t.Fatal("the test spells nothing:", err)
	}
	for name, text := range map[string]string{
		"none":                    wired(),
		"kind 0":                  wired(one(0, "shell")),
		"an unknown kind":         wired(one(9, "x")),
		"an unknown kind after":   wired(good, one(255, "")),
		"no value":                wired(one(3, "")),
		"cut off in the head":     wired(good, []byte{3, 0}),
		"cut off in the value":    wired(good, []byte{3, 0, 9, 'x'}),
		"a byte too many":         wired(good, []byte{0}),
		"twice":                   wired(good, good),
		"twice, apart":            wired(good, one(7, "s"), good),
		"a time of 7 bytes":       wired(one(1, "1234567")),
		"a time of 9 bytes":       wired(one(1, "\x00\x00\x00\x00\x00\x00\x00\x00\x01")),
		"time 0":                  wired(one(1, "\x00\x00\x00\x00\x00\x00\x00\x00")),
		"a time before 1970":      wired(one(1, "\xff\xff\xff\xff\xff\xff\xff\xff")),
		"a short digest":          wired(one(2, digest[1:])),
		"a long digest":           wired(one(2, digest+"ab")),
		"a digest in capitals":    wired(one(2, strings.ToUpper(digest))),
		"a tool that is no text":  wired(one(3, "\xff")),
		"a program with spaces":   wired(one(4, " git")),
		"a program, two spaces":   wired(one(4, "git  push")),
		"a relative place":        wired(one(5, "srv")),
		"a place that goes up":    wired(one(5, "/srv/../etc")),
		"a place with a slash":    wired(one(6, "/srv/")),
		"a place with a dot":      wired(one(6, "/srv/.")),
		"a process without boot":  wired(one(8, strings.Repeat("\x00", 7)+"\x01"+strings.Repeat("\x00", 7)+"\x01")),
		"a process without start": wired(one(8, strings.Repeat("\x00", 7)+"\x01"+strings.Repeat("\x00", 8)+"b")),
		"process 0":               wired(one(8, strings.Repeat("\x00", 15)+"\x01b")),
		"process -1":              wired(one(8, strings.Repeat("\xff", 8)+strings.Repeat("\x00", 7)+"\x01b")),
		"seventeen":               wired(slices.Repeat(good, 17)),
		"seventeen different": wired(func() (w [][]byte) {
			for i := range 17 {
				w = append(w, one(3, fmt.Sprint(i)))
			}
			return
		}()...),
		"over 4 KiB":               wired(one(3, strings.Repeat("x", grant.MaxHandle))),
		"a short hash":             join(make([]byte, 31), good, make([]byte, 32)),
		"a short tag":              join(make([]byte, 32), good, make([]byte, 31)),
		"no tag":                   join(make([]byte, 32), good, nil),
		"two parts":                "assent_h1_a.b",
		"four parts":               wired(good) + ".AA",
		"padding":                  wired(good) + "=",
		"bits that nobody reads":   wired(good)[:len(wired(good))-1] + "B",
		"a line break":             strings.Replace(wired(good), ".", ".\n", 1),
		"the other alphabet":       "assent_h1_" + strings.Repeat("+", 48),
		"a whole one, no checksum": "assent_h1_" + strings.Repeat("A", 43),
		"a wrong checksum":         "assent_h1_" + strings.Repeat("A", 48),
		"another prefix":           strings.Replace(wired(good), "h1", "h2", 1),
		"nothing":                  "",
		"invalid UTF-8":            "assent_h1_\xff\xfe",
		"NUL":                      "assent_h1_\x00",
		"100 KB":                   "assent_h1_" + strings.Repeat("A", 100<<10),
	} {
		if p, err := grant.Parse(text); !errors.Is(err, assent.ErrInvalid) || p.Verify(handle(t)) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestACaveatIsOneThing(t *testing.T) {
	t.Parallel()
	h := handle(t).Reveal()
	for _, c := range every {
		p, err := grant.Parse(narrow(t, h, c))
		if err != nil || len(p.Caveats()) != 1 || p.Caveats()[0].String() != c.String() || c.String() == "nothing" {
			t.Errorf("%v: %v, %v", c, p.Caveats(), err)
		}
		raw, _ := json.Marshal(p.Caveats()[0])
		var back grant.Caveat
		if json.Unmarshal(raw, &back) != nil || back.String() != c.String() {
			t.Errorf("%s", raw)
		}
	}
	for _, c := range []grant.Caveat{
		{}, {Tool: "shell", Dir: "/srv"}, {Until: noon, Session: "s"}, {Digest: "ab"}, {Under: "srv"}, {Dir: "/srv/"}, {Program: "git "}, {Tool: "\xff"},
		{Process: &assent.Process{PID: 1, Start: 1}}, {Process: &assent.Process{PID: 1, Boot: "b"}}, {Until: time.Unix(-1, 0)}, {Until: time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := grant.Narrow(h, c); !errors.Is(err, assent.ErrInvalid) || c.String() != "nothing" {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// shell is a command as it would be judged, of session s in /srv/shop.
func shell(command string) assent.Case {
	in, _ := json.Marshal(map[string]string{"command": command})
	return judged(assent.ToolShell, in)
}

func judged(tool string, in []byte) assent.Case {
	e := assent.Event{Name: assent.PreToolCall, Agent: "plain", Session: "s", Tool: tool, Input: in, Dir: "/srv/shop"}
	return analyze.Case(e, assent.Places{Home: "/home/u"})
}

func exec(change func(*assent.Exec)) assent.Case {
	x := assent.Exec{Argv: []string{"git", "push"}, Program: assent.Operand{Path: "/usr/bin/git", SHA256: digest}, Umask: "0022"}
	change(&x)
	in, err := x.Input()
	if err != nil {
		panic(err)
	}
	return judged(assent.ToolExec, in)
}

func write(path string) assent.Case {
	in, _ := json.Marshal(map[string]string{"path": path, "content": "x"})
	return judged(assent.ToolWrite, in)
}

// leading is the case with one more fact: that it is done to something else.
func leading(c assent.Case, target string) assent.Case {
	c.Findings = append(slices.Clone(c.Findings), assent.Finding{Code: "fs.write", Target: target})
	return c
}

func TestWhatCaveatsAllow(t *testing.T) {
	t.Parallel()
	in := grant.Bearer{Sessions: []string{"s", "s/1"}, Is: func(p assent.Process) bool { return p.PID == 812 }}
	same := shell("git push").Digest()
	process := func(pid int) grant.Caveat {
		return grant.Caveat{Process: &assent.Process{PID: pid, Start: 1, Boot: "b"}}
	}
	for _, c := range []struct {
		caveat grant.Caveat
		of     assent.Case
		by     grant.Bearer
		want   error
	}{
		{grant.Caveat{Until: noon.Add(1)}, shell("ls"), in, nil},
		{grant.Caveat{Until: noon}, shell("ls"), in, assent.ErrExpired}, // the moment itself is too late
		{grant.Caveat{Digest: same}, shell("git push"), in, nil},
		{grant.Caveat{Digest: same}, shell("git push "), in, assent.ErrScope},
		{grant.Caveat{Digest: same}, assent.Case{Event: assent.Event{Input: []byte("{")}}, in, assent.ErrScope},
		{grant.Caveat{Tool: "shell"}, shell("ls"), in, nil},
		{grant.Caveat{Tool: "shel"}, shell("ls"), in, assent.ErrScope},
		{grant.Caveat{Tool: "*"}, shell("ls"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell("git push && git status"), in, nil},
		{grant.Caveat{Program: "git push"}, shell("git push origin main"), in, nil},
		{grant.Caveat{Program: "git push"}, shell("git pull"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell("git status; ls"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell("./git status"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell("PATH=. git status"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell("env git status"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell("git $x"), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, shell(""), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, write("/srv/shop/git"), in, assent.ErrScope},
		{grant.Caveat{Program: "git push"}, exec(func(*assent.Exec) {}), in, nil},
		{grant.Caveat{Program: "git"}, exec(func(x *assent.Exec) { x.Env = map[string]string{"GIT_SSH": "sha256:" + digest} }), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, exec(func(x *assent.Exec) { x.Argv[0] = "/tmp/git" }), in, assent.ErrScope},
		{grant.Caveat{Program: "git"}, exec(func(x *assent.Exec) { x.Program.Path = "/srv/shop/git" }), in, assent.ErrScope},
		{grant.Caveat{Dir: "/srv/shop"}, shell("ls build"), in, nil},
		{grant.Caveat{Dir: "/srv/shop"}, shell("ls /etc"), in, assent.ErrScope},
		{grant.Caveat{Dir: "/srv/shop"}, shell("ls .."), in, assent.ErrScope},
		{grant.Caveat{Dir: "/srv/sho"}, shell("ls"), in, assent.ErrScope}, // by component, not by text
		{grant.Caveat{Dir: "/srv"}, shell("cd /tmp && ls"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop/build"}, shell("rm -rf build/x"), in, nil},
		{grant.Caveat{Under: "/srv/shop/build"}, shell("rm -rf src"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop/build"}, shell("rm -rf build/x /etc/x"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop/build"}, shell("rm -rf build/../src"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop/build"}, shell("true"), in, assent.ErrScope}, // of what has a finding alone
		{grant.Caveat{Under: "/srv/shop"}, write("/srv/shop/a"), in, nil},
		{grant.Caveat{Under: "/srv/shop"}, write("a"), in, nil},
		{grant.Caveat{Under: "/srv/shop"}, write("../a"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop"}, write("/srv/shopping"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop"}, judged(assent.ToolWrite, []byte(`{"path":"/etc/x","path":"/srv/shop/a"}`)), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop"}, leading(write("/srv/shop/a"), "/etc/x"), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop"}, leading(write("/srv/shop/a"), ""), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop"}, judged(assent.ToolWrite, []byte(`{"path":["/srv/shop/a"]}`)), in, assent.ErrScope},
		{grant.Caveat{Under: "/srv/shop"}, judged(assent.ToolWrite, []byte(`{"Path":"/srv/shop/a"}`)), in, assent.ErrScope},
		{grant.Caveat{Session: "s"}, shell("ls"), in, nil},
		{grant.Caveat{Session: "s/1"}, shell("ls"), in, assent.ErrForbidden},                                   // a sub-agent's is its own
		{grant.Caveat{Session: "s"}, shell("ls"), grant.Bearer{Sessions: []string{"s2"}}, assent.ErrForbidden}, // it says so, and is not
		{grant.Caveat{Session: "s"}, shell("ls"), grant.Bearer{}, assent.ErrForbidden},
		{process(812), shell("ls"), in, nil},
		{process(813), shell("ls"), in, assent.ErrForbidden},
		{process(812), shell("ls"), grant.Bearer{Sessions: []string{"s"}}, assent.ErrForbidden}, // nobody can tell
		{grant.Caveat{}, shell("ls"), in, assent.ErrScope},
		{grant.Caveat{}, assent.Case{Event: assent.Event{Tool: "*", Input: []byte("{}")}}, in, assent.ErrScope},
		{grant.Caveat{Tool: "shell", Session: "x"}, shell("ls"), in, assent.ErrForbidden}, // of two kinds: the holder at least
	} {
		if err := (grant.Caveats{c.caveat}).Allow(c.of, c.by, noon); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s, for %s of %s: %v, want %v", c.caveat, c.of.Input, c.of.Session, err, c.want)
		}
	}
}

// Who holds it comes first, then whether it is over, then what it is of.
func TestTheOrderOfCaveatErrors(t *testing.T) {
	t.Parallel()
	scope, expired, forbidden := grant.Caveat{Tool: "read"}, grant.Caveat{Until: noon}, grant.Caveat{Session: "x"}
	for _, c := range []struct {
		cs   grant.Caveats
		want error
	}{
		{grant.Caveats{scope, expired, forbidden}, assent.ErrForbidden},
		{grant.Caveats{forbidden, expired, scope}, assent.ErrForbidden},
		{grant.Caveats{scope, expired}, assent.ErrExpired},
		{grant.Caveats{expired, scope}, assent.ErrExpired},
		{grant.Caveats{scope, {Tool: "shell"}}, assent.ErrScope},
		{nil, nil},
	} {
		if err := c.cs.Allow(shell("ls"), grant.Bearer{}, noon); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%v: %v, want %v", c.cs, err, c.want)
		}
	}
}

func caveats() *rapid.Generator[grant.Caveat] {
	return rapid.Custom(func(t *rapid.T) grant.Caveat {
		place := func() string {
			return rapid.SampledFrom([]string{"/", "/srv", "/srv/shop", "/srv/shop/build", "/etc"}).Draw(t, "place")
		}
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			return grant.Caveat{Until: noon.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "until")))}
		case 1:
			return grant.Caveat{Digest: shell(rapid.SampledFrom(commands).Draw(t, "command")).Digest()}
		case 2:
			return grant.Caveat{Tool: rapid.SampledFrom([]string{"shell", "write", "exec"}).Draw(t, "tool")}
		case 3:
			return grant.Caveat{Program: rapid.SampledFrom([]string{"git", "git push", "rm", "ls"}).Draw(t, "program")}
		case 4:
			return grant.Caveat{Under: place()}
		case 5:
			return grant.Caveat{Dir: place()}
		case 6:
			return grant.Caveat{Session: rapid.SampledFrom([]string{"s", "s/1", "x"}).Draw(t, "session")}
		}
		return grant.Caveat{Process: &assent.Process{PID: rapid.IntRange(1, 3).Draw(t, "pid"), Start: 1, Boot: "b"}}
	})
}

var commands = []string{"ls", "git push", "git push -f && git status", "rm -rf build", "rm -rf build /etc", "ls build", "git pull; ls"}

func cases() *rapid.Generator[assent.Case] {
	return rapid.Custom(func(t *rapid.T) assent.Case {
		switch rapid.IntRange(0, 3).Draw(t, "tool") {
		case 0:
			return write(rapid.SampledFrom([]string{"/srv/shop/build/a", "/etc/x", "a"}).Draw(t, "path"))
		case 1:
			return exec(func(*assent.Exec) {})
		}
		return shell(rapid.SampledFrom(commands).Draw(t, "command"))
	})
}

// Whatever a narrowed handle allows, what it was narrowed from allows too.
func TestAdversarial08ANarrowedHandleNeverAllowsWhatItsParentForbids(t *testing.T) {
	t.Parallel()
	h := handle(t)
	allowed := 0
	rapid.Check(t, func(t *rapid.T) {
		c := cases().Draw(t, "case")
		by := grant.Bearer{Sessions: []string{"s"}, Is: func(p assent.Process) bool { return p.PID == 1 }}
		text := h.Reveal()
		line := []grant.Presented{}
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			next, err := grant.Narrow(text, caveats().Draw(t, "caveat"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := grant.Parse(next)
			if err != nil || p.Verify(h) != nil {
				t.Fatal(err)
			}
			text, line = next, append(line, p)
		}
		for i, parent := range line {
			for _, child := range line[i:] {
				is, was := child.Caveats().Allow(c, by, noon), parent.Caveats().Allow(c, by, noon)
				if is == nil && was != nil {
					t.Fatalf("%v allows %s, and %v says %v", child.Caveats(), c.Input, parent.Caveats(), was)
				}
				if is == nil {
					allowed++
				}
			}
		}
	})
	if allowed == 0 {
		t.Error("nothing was ever allowed: the test sees nothing")
	}
}

func BenchmarkAllow(b *testing.B) {
	cs := grant.Caveats{{Tool: "shell"}, {Dir: "/srv/shop"}, {Program: "git"}, {Until: noon.Add(1)}, {Session: "s"}}
	c, by := shell("git push"), grant.Bearer{Sessions: []string{"s"}}
	for b.Loop() {
		if err := cs.Allow(c, by, noon); err != nil {
			b.Fatal(err)
		}
	}
}
