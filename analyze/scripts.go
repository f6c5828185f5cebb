package analyze

// Small languages: AppleScript, the commands of editors, jq.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// appleSnippets returns the scripts that osascript is given.
func appleSnippets(cmd assent.Command) []snippet {
	a := programs.Read(cmd)
	read := observeApple
	for _, w := range a.Values("l") {
		if strings.EqualFold(w.Value, "JavaScript") {
			read = observeApple // the same words, in other brackets
		}
	}
	var out []snippet
	for _, w := range a.Values("e") {
		out = append(out, snippet{text: w, read: read})
	}
	if len(out) == 0 && len(a.Operands) == 0 && cmd.Stdin != nil {
		out = append(out, snippet{text: *cmd.Stdin, read: read})
	}
	return out
}

// observeApple returns what a script does that steers programs of the desktop.
func observeApple(text string) effects {
	e := effects{unclear: true}
	for _, start := range []string{"do shell script ", "doShellScript("} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, start)
			if !ok {
				break
			}
			rest = after
			if len(after) < 2 || after[0] != '"' && after[0] != '\'' {
				e.texts = append(e.texts, assent.Word{Text: "$_"})
				continue
			}
			end := strings.IndexByte(after[1:], after[0])
			if end < 0 {
				e.texts = append(e.texts, assent.Word{Text: "$_"})
				continue
			}
			e.texts = append(e.texts, said(unescaped(after[1:1+end])))
		}
	}
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, "empty trash") || strings.Contains(lower, "empty the trash"):
		e.say("fs.delete", "It empties the trash.")
	case strings.Contains(lower, "keystroke") || strings.Contains(lower, "key code"):
		e.say("code.steer", "It types into other programs of the user.")
	case strings.Contains(lower, "tell application") || strings.Contains(lower, "application("):
		e.say("code.steer", "It steers another program of the user.")
	case strings.Contains(lower, "display dialog") || strings.Contains(lower, "password"):
		e.say("code.steer", "It asks the user for something in the name of the system.")
	}
	return e
}

// editorSnippets returns the commands that an editor is given on its command
// line.
func editorSnippets(cmd assent.Command) []snippet {
	var out []snippet
	a := programs.Read(cmd)
	add := func(w assent.Word) { out = append(out, snippet{text: w, read: observeEditor, flat: true}) }
	for _, w := range a.Values("c cmd S") {
		add(w)
	}
	for _, w := range a.Values("eval execute") {
		out = append(out, snippet{text: w, read: observeLisp})
	}
	for i, w := range cmd.Args {
		if strings.HasPrefix(w.Value, "+") && len(w.Value) > 1 {
			add(assent.Word{Text: w.Text, Value: w.Value[1:], Known: w.Known})
		} else if i > 0 && (cmd.Args[i-1].Value == "-c" || cmd.Args[i-1].Value == "--cmd") && !slices.ContainsFunc(out, func(s snippet) bool { return s.text.Text == w.Text }) {
			add(w) // behind letters like -es, of which one takes no value here
		}
	}
	if cmd.Stdin != nil {
		add(*cmd.Stdin)
	}
	return out
}

// observeLisp returns what Lisp in Emacs does, as far as its plainest words tell.
func observeLisp(text string) effects {
	e := effects{unclear: true}
	tokens, _ := lex(text, dialect{line: ";;"})
	for i, t := range tokens {
		if t.kind != textToken || i == 0 {
			continue
		}
		name := "" // names have dashes in them
		for k := i - 1; k >= max(0, i-12) && !(tokens[k].kind == markToken && tokens[k].text == "("); k-- {
			name = tokens[k].text + name
		}
		switch name {
		case "shell-command", "shell-command-to-string", "async-shell-command", "compile":
			e.texts = append(e.texts, said(t.text))
		case "delete-file":
			e.act("rm", said(t.text))
		case "delete-directory":
			e.act("rm", said("-r"), said(t.text))
		case "write-file", "append-to-file", "write-region":
			e.act("tee", said(t.text))
		case "find-file", "insert-file-contents":
			e.act("cat", said(t.text))
		}
	}
	return e
}

// observeEditor returns what commands of vi and ed do.
func observeEditor(text string) effects {
	var e effects
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '|' }) {
		line = strings.TrimLeft(line, ": \t%0123456789,$")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "!"):
			e.texts = append(e.texts, said(line[1:]))
		case strings.HasPrefix(line, "r!") || strings.HasPrefix(line, "w!") && strings.HasPrefix(rest, "!"), word == "r" && strings.HasPrefix(rest, "!"), word == "w" && strings.HasPrefix(rest, "!"):
			_, shell, _ := strings.Cut(line, "!")
			e.texts = append(e.texts, said(strings.TrimPrefix(shell, "!")))
		case strings.Contains(line, "system("):
			_, after, _ := strings.Cut(line, "system(")
			after = strings.TrimLeft(after, `'"`)
			if end := strings.IndexAny(after, `'"`); end >= 0 {
				e.texts = append(e.texts, said(after[:end]))
			}
		case word == "w" || word == "w!" || word == "write" || word == "saveas":
			if rest != "" {
				e.writes(said(strings.TrimSpace(rest)))
			}
		case word == "py" || word == "py3" || word == "python3" || word == "pythonx":
			e.merge(observe(&python, rest))
		case word == "source" || word == "so" || word == "lua" || word == "perl" || word == "ruby" || word == "tcl":
			e.say("code.inline", "It runs code inside the editor.")
		case word == "terminal" || word == "term" || word == "shell" || word == "sh":
			e.say("code.unknown", "It starts a shell from the editor.")
		}
	}
	return e
}

// jqSnippets returns the filter of jq.
func jqSnippets(cmd assent.Command) []snippet {
	a := programs.Read(cmd)
	if len(a.Operands) == 0 || a.Option("-f --from-file") {
		return nil
	}
	return []snippet{{text: a.Operands[0], read: observeJQ, flat: true}}
}

// observeJQ returns what a filter does besides filtering.
func observeJQ(text string) effects {
	var e effects
	tokens, _ := lex(text, dialect{line: "#", raw: "'", sigils: "$"})
	for i, t := range tokens {
		member := i > 0 && tokens[i-1].kind == markToken && tokens[i-1].text == "."
		if t.kind == nameToken && (t.text == "env" && !member || t.text == "$ENV") {
			e.say("secret.env", "It reads the environment, in which secrets are often kept.")
			break
		}
	}
	return e
}
