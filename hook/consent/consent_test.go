package consent

// Consent: what is allowed, what has changed, and what the file looks like.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"assent"
)

const event = assent.PreToolCall

// nest is a home with a script in it, and a file of consents that is not there yet.
func nest(t *testing.T) (f *File, script string) {
	t.Helper()
	dir := t.TempDir()
	script = filepath.Join(dir, "guard.sh")
	write(t, script, "exit 0\n")
	return Open(filepath.Join(dir, "state", Name), dir), script
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, f *File, event, command, dir string, state State) {
	t.Helper()
	if got := f.Look(event, command, dir); got != state {
		t.Errorf("%s, %s: %s, want %s", event, command, got, state)
	}
}

func TestAnEditedScriptIsNotTrustedUntilItIsAllowedAgain(t *testing.T) {
	t.Parallel()
	f, script := nest(t)
	want(t, f, event, "~/guard.sh", "", Missing)
	if err := f.Allow(event, "~/guard.sh", ""); err != nil {
		t.Fatal(err)
	}
	want(t, f, event, "~/guard.sh", "", Allowed)
	want(t, f, assent.PostToolCall, "~/guard.sh", "", Missing) // another event
	want(t, f, event, "~/guard.sh ", "", Missing)              // another string
	for i := range 3 {
		write(t, script, fmt.Sprintf("exit %d\n", i+1)) // of the same length, at once
		want(t, f, event, "~/guard.sh", "", Changed)
	}
	write(t, script, "exit 0\n")
	want(t, f, event, "~/guard.sh", "", Allowed)
	write(t, script, "exit 9\n")
	if err := f.Allow(event, "~/guard.sh", ""); err != nil {
		t.Fatal(err)
	}
	want(t, f, event, "~/guard.sh", "", Allowed)
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	want(t, f, event, "~/guard.sh", "", Changed)
	if list, err := f.List(); err != nil || len(list) != 1 {
		t.Errorf("%d entries, %v: an approval replaces the older one", len(list), err)
	}
}

func TestAScriptThatSettledIsReadOnce(t *testing.T) {
	t.Parallel()
	f, script := nest(t)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(script, old, old); err != nil {
		t.Fatal(err)
	}
	if err := f.Allow(event, script, ""); err != nil {
		t.Fatal(err)
	}
	f.now = func() time.Time { return time.Now().Add(time.Hour) } // its change of a moment ago is long past
	want(t, f, event, script, "", Allowed)
	if h, ok := f.hashes[script]; !ok || h.sum == "" {
		t.Fatal("its hash was not kept")
	}
	f.hashes[script] = hashed{f.hashes[script].of, "another"}
	want(t, f, event, script, "", Changed) // it is the kept hash that is compared
	write(t, script, "exit 1\n")
	if runtime.GOOS == "linux" { // the time of modification can be put back, that of change cannot
		if err := os.Chtimes(script, old, old); err != nil {
			t.Fatal(err)
		}
	}
	want(t, f, event, script, "", Changed)
}

// An entry of before may bind the file of one directory. It holds there, and nowhere
// else.
func TestOneWordIsAnotherScriptInAnotherDirectory(t *testing.T) {
	t.Parallel()
	f, script := nest(t)
	dir, other := filepath.Dir(script), t.TempDir()
	write(t, filepath.Join(other, "guard.sh"), "exit 0\n")
	if err := f.Allow(event, "./guard.sh", dir); err == nil || !strings.Contains(err.Error(), script) {
		t.Errorf("%v: it says nothing of what to write", err)
	}
	want(t, f, event, "./guard.sh", dir, Missing)
	sum, _, err := sumOf(script)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f.path, `{"approvals": [{"event": "pre_tool_call", "command": "./guard.sh", "script": `+quote(script)+`, "script_sha256": "`+sum+`"}]}`)
	want(t, f, event, "./guard.sh", dir, Allowed)
	want(t, f, event, "./guard.sh", other, Missing) // though it holds the same
	write(t, script, "exit 1\n")
	want(t, f, event, "./guard.sh", dir, Changed)
}

func TestWhatIsNotThereCannotBeAllowed(t *testing.T) {
	t.Parallel()
	f, _ := nest(t)
	if err := f.Allow(event, "~/none.sh", ""); err == nil {
		t.Error("a script was allowed that does not exist: whoever writes it would be trusted")
	}
	want(t, f, event, "~/none.sh", "", Missing)
	if err := f.Allow(event, "jq -c .", ""); err != nil {
		t.Error(err)
	}
	want(t, f, event, "jq -c .", "", Unhashed)
}

func TestRevokingHoldsAtOnceInEveryProcess(t *testing.T) {
	t.Parallel()
	f, script := nest(t)
	for _, e := range []string{event, assent.PostToolCall} {
		if err := f.Allow(e, script, ""); err != nil {
			t.Fatal(err)
		}
	}
	other := Open(f.path, f.home)
	want(t, other, event, script, "", Allowed)
	if n, err := f.Revoke(script); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	want(t, f, event, script, "", Missing)
	want(t, other, event, script, "", Missing)
	if n, err := f.Revoke(script); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestTheFileIsWhatOtherProductsRead(t *testing.T) {
	t.Parallel()
	f, script := nest(t)
	when := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	if err := os.Chtimes(script, when, when); err != nil {
		t.Fatal(err)
	}
	f.now = func() time.Time { return when.Add(time.Hour) }
	write(t, f.path, "\xEF\xBB\xBF"+`{"note": 1, "approvals": [{"event": "on_session_start", "command": "hello", "mine": [1]}, {"event": 3}, "x"]}`)
	if err := f.Allow(event, "~/guard.sh", ""); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(f.path)
	if err != nil {
		t.Fatal(err)
	}
	sum, _, err := sumOf(script)
	if err != nil || len(sum) != 64 {
		t.Fatal(sum, err)
	}
	wantText := `{
  "approvals": [
    {
      "command": "hello",
      "event": "on_session_start",
      "mine": [
        1
      ],
      "script_mtime_at_approval": null
    },
    {
      "approved_at": "2026-05-01T11:00:00Z",
      "command": "~/guard.sh",
      "event": "pre_tool_call",
      "files": {
        ` + quote(script) + `: "` + sum + `"
      },
      "script": ` + quote(script) + `,
      "script_mtime_at_approval": "2026-05-01T10:00:00Z",
      "script_sha256": "` + sum + `"
    }
  ],
  "note": 1
}
`
	got := string(raw)
	if got != wantText {
		t.Errorf("got %s\nwant %s", got, wantText)
	}
	if info, err := os.Stat(f.path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(f.path), ".allowlist-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

func TestEntriesThatBindNoContentAreAllowedAndSaySo(t *testing.T) {
	t.Parallel()
	f, script := nest(t)
	write(t, f.path, `{"approvals": [{"event": "pre_tool_call", "command": `+quote(script)+`}, {"event": "pre_tool_call", "command": "true"}]}`)
	want(t, f, event, script, "", Unhashed)
	want(t, f, event, "true", "", Unhashed)
	want(t, f, event, "https://example.org/judge", "", Missing)
	if !Unhashed.May() || !Allowed.May() || Changed.May() || Missing.May() {
		t.Error("who may run?")
	}
}

func TestAFileThatCannotBeReadAllowsNothingAndIsKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"{", "[]", `{"approvals": {}}`, ""} {
		f, script := nest(t)
		write(t, f.path, text)
		want(t, f, event, script, "", Missing)
		if _, err := f.List(); err == nil {
			t.Errorf("%q: no error for the doctor", text)
		}
		if err := f.Allow(event, script, ""); err == nil {
			t.Errorf("%q: it was overwritten", text)
		}
		if raw, _ := os.ReadFile(f.path); string(raw) != text {
			t.Errorf("%q became %q", text, raw)
		}
		want(t, f, event, script, "", Allowed) // in this process
		want(t, Open(f.path, f.home), event, script, "", Missing)
	}
	if list, err := Read(filepath.Join(t.TempDir(), "none")); err != nil || len(list) != 0 {
		t.Errorf("%v, %v: no file is no error", list, err)
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	f, _ := nest(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mine := Open(f.path, f.home) // as another process would
			for j := range 5 {
				if err := mine.Allow(event, fmt.Sprintf("hook-%d-%d", i, j), ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if list, err := f.List(); len(list) != 40 || err != nil {
		t.Errorf("%d entries, %v", len(list), err)
	}
}

func TestTheWaysRoundTheQuestion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		setting     any
		want        bool
	}{
		{"", "", nil, false},
		{EnvAccept, "1", nil, true},
		{EnvAcceptHermes, " Yes ", nil, true},
		{EnvAccept, "on", false, true},
		{EnvAccept, "0", nil, false},
		{EnvAccept, "maybe", nil, false},
		{"", "", true, true},
		{"", "", "true", true},
		{"", "", "no", false},
		{"", "", 1, false},
		{"", "", false, false},
	} {
		getenv := func(name string) string { return map[string]string{c.name: c.value}[name] }
		if got := Accepts(getenv, c.setting); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func BenchmarkLook(b *testing.B) {
	dir := b.TempDir()
	script := filepath.Join(dir, "guard.sh")
	if err := os.WriteFile(script, make([]byte, 1<<20), 0o600); err != nil {
		b.Fatal(err)
	}
	f := Open(filepath.Join(dir, Name), dir)
	if err := f.Allow(event, script, ""); err != nil {
		b.Fatal(err)
	}
	f.now = func() time.Time { return time.Now().Add(time.Hour) }
	for b.Loop() {
		if f.Look(event, script, dir) != Allowed {
			b.Fatal("not allowed")
		}
	}
}
