package analyze

// The verbs of assent that only people may use: run, typed into a terminal, or left
// for something else to run.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// verbs are what only people may do.
var verbs = []string{"approve", "deny", "reject", "revoke", "keys", "uninit", "init", "serve"}

// persons are the second words of what only a person may do.
var persons = map[string][]string{"hooks": {"allow", "revoke", "remove", "rm", "import"}, "grants": {"forward", "handle", "renew"}}

// verb returns the verb of assent that a command runs, if only people may.
func (g gate) verb(cmd assent.Command) string {
	a := programs.Read(cmd)
	ops := a.Operands
	switch {
	case slices.Contains([]string{"/approve", "/deny", "/yolo"}, cmd.Program.Value):
		return strings.TrimPrefix(cmd.Program.Value, "/") // as people say it in a chat
	case cmd.Name == "go" && a.Word(0) == "run" && len(ops) > 1 && path.Base(a.Word(1)) == "assent":
		ops = ops[2:]
	case len(ops) > 1 && slices.Contains([]string{"approve", "deny", "reject", "revoke"}, ops[0].Value) && ours(ops[1].Value) && programs.Lookup(cmd.Name) == nil:
		// under another name
	case cmd.Name != "assent" && cmd.Name != "assent.exe":
		return ""
	}
	return forPeople(ops)
}

// ours reports whether a word is the name that a request or a grant has in assent.
func ours(word string) bool {
	for _, kind := range []string{"req_", "gr_"} {
		if n, ok := strings.CutPrefix(word, kind); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			return true
		}
	}
	return false
}

// forPeople returns the verb that assent would be given, if only people may use it.
func forPeople(ops []assent.Word) string {
	switch {
	case len(ops) == 0:
		return ""
	case slices.Contains(verbs, ops[0].Value):
		return ops[0].Value
	case len(ops) > 1 && (slices.Contains(persons[ops[0].Value], ops[1].Value) || persons[ops[0].Value] != nil && !ops[1].Known):
		return ops[0].Value + " " + ops[1].Text
	case !ops[0].Known:
		return "with a verb that cannot be known"
	}
	return ""
}

// typists type into terminals and windows, or have others run what they are given,
// without it being read as a command.
const typists = "osascript expect tmux screen byobu zellij kitty kitten wezterm xdotool ydotool wtype dotool cliclick xvkbd xte ttyecho injcode autoexpect script dtach abduco dvtm crontab fcrontab " +
	"dbus-send busctl gdbus qdbus xterm uxterm urxvt rxvt st alacritty ghostty foot footclient gnome-terminal konsole xfce4-terminal mate-terminal lxterminal terminator tilix x-terminal-emulator"

// types reports whether what a typist is given, as one text, is typed or run.
func types(name, text string) bool {
	only := []string{"spawn", "send", "exec"}
	switch name {
	case "osascript":
		only = []string{"keystroke", "key code", "do script", "do shell script", "write text", "doScript", "doShellScript"}
	case "expect":
	default:
		return true
	}
	return slices.ContainsFunc(only, func(word string) bool { return strings.Contains(text, word) })
}

// typedVerb returns the verb of assent that a command types into a terminal, or leaves to
// something else to run, if only people may use it.
func typedVerb(c assent.Case, cmd assent.Command) string {
	if !has(typists, cmd.Name) {
		return ""
	}
	var b strings.Builder
	put := func(words []assent.Word) {
		for _, w := range words {
			b.WriteString(w.Value)
			b.WriteByte(' ')
		}
	}
	put(cmd.Args)
	switch {
	case cmd.Stdin != nil:
		b.WriteString(cmd.Stdin.Value)
	case cmd.Stage > 0:
		each(c, func(o assent.Command) {
			if o.Name == "echo" || o.Name == "printf" {
				put(o.Args)
			}
		})
	}
	if text := b.String(); types(cmd.Name, text) {
		return spoken(text)
	}
	return ""
}

// namedKeys are how the keys between words and at the end of a line are called.
var namedKeys = []string{"Space", "space", "Enter", "Return", "KPEnter", "C-m", "C-j"}

// spoken returns the verb that a text would have assent run, if only people may use it.
// Whatever else it says, in which language ever, is passed over.
func spoken(text string) string {
	for {
		at := strings.Index(text, "assent")
		if at < 0 {
			return ""
		}
		alone := at == 0 || !isWord(text[at-1])
		if text = text[at+len("assent"):]; alone {
			if verb := forPeople(following(strings.TrimPrefix(text, ".exe"))); verb != "" {
				return verb
			}
		}
	}
}

// following are the first two words of a text that are no options and no keys, unless
// it goes on with another sentence or with a longer word.
func following(text string) []assent.Word {
	var out []assent.Word
	if text == "" || isWord(text[0]) || text[0] == '/' || text[0] == '-' || text[0] == '.' {
		return nil
	}
	text, _, _ = strings.Cut(text[:min(len(text), 256)], "\n")
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t,'\"[]()\\", r) }) {
		if word[0] == '-' || slices.Contains(namedKeys, word) {
			continue
		}
		if out = append(out, said(word)); len(out) == 2 || strings.ContainsAny(word, ";&|") {
			break
		}
	}
	return out
}
