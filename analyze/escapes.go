package analyze

// Escapes: lines in the languages of clients that give the rest to a shell.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// escapeTexts are the command lines in the statements that a client is given.
func escapeTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	for _, w := range clientTexts(cmd) {
		if len(w.Value) > maxSnippet {
			out = append(out, w) // too long to be read: a fact of its own
			continue
		}
		for line := range strings.Lines(w.Value) {
			if text := escaped(cmd.Name, strings.TrimSpace(line)); text != "" {
				out = append(out, assent.Word{Text: text, Value: text, Known: w.Known})
			}
		}
	}
	return out
}

// clientTexts are all words in which a client may find lines of its language.
func clientTexts(cmd assent.Command) []assent.Word {
	a := programs.Read(cmd)
	out := slices.Clone(a.Operands)
	for _, o := range a.Options {
		if o.Given {
			out = append(out, o.Value)
		}
	}
	if cmd.Stdin != nil {
		out = append(out, *cmd.Stdin)
	}
	return out
}

// escaped is what a line gives to a shell, if it gives it anything.
func escaped(client, line string) string {
	switch client {
	case "sqlite3", "sqlite", "duckdb":
		return dotEscape(line)
	case "psql", "usql", "pgcli":
		if _, text, ok := strings.Cut(line, `\!`); ok {
			return strings.TrimSpace(text)
		}
		return pipedTo(line, `\o |`, `\g |`, `\out |`, `\w |`, ` program '`, ` PROGRAM '`)
	case "mysql", "mariadb", "mycli":
		if _, text, ok := strings.Cut(line, `\!`); ok {
			return strings.TrimSpace(text)
		}
		for part := line; part != ""; _, part, _ = strings.Cut(part, ";") {
			word, text, _ := strings.Cut(strings.TrimSpace(part), " ")
			if word = strings.ToLower(word); word == "system" || word == "pager" || word == `\p` {
				return strings.TrimSpace(text)
			}
		}
	case "sqlcmd":
		return pipedTo(line, "!!")
	case "ftp", "sftp", "lftp", "tftp":
		if text, ok := strings.CutPrefix(line, "!"); ok {
			return strings.TrimSpace(text)
		}
	case "less", "more", "most":
		return pipedTo(line, "+!")
	}
	return ""
}

// dotEscape is what a line of sqlite3 gives to a shell: .shell and .system, also
// shortened, and the commands whose operand is a program behind "|".
func dotEscape(line string) string {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case len(word) < 2 || word[0] != '.':
		return ""
	case strings.HasPrefix(".shell", word) || strings.HasPrefix(".system", word):
		return rest
	}
	text, ok := strings.CutPrefix(strings.TrimLeft(rest, `"'`), "|")
	if !ok {
		return ""
	}
	return strings.TrimRight(text, `"'`)
}

// pipedTo is what follows the first of some marks in a line, without the quote
// that ends it.
func pipedTo(line string, marks ...string) string {
	for _, mark := range marks {
		if _, text, ok := strings.Cut(line, mark); ok {
			if strings.HasSuffix(mark, "'") {
				text, _, _ = strings.Cut(text, "'")
			}
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// recipeTexts are the recipes of a makefile that make is fed: behind a tab, or
// behind the ";" of a rule. known is false when something in it is only made
// when make reads it.
func recipeTexts(cmd assent.Command) (texts []assent.Word, known bool) {
	i := slices.IndexFunc(cmd.Args, func(w assent.Word) bool {
		return strings.HasPrefix(w.Value, "-f") || strings.HasPrefix(w.Value, "--file") || strings.HasPrefix(w.Value, "--makefile")
	})
	if i < 0 {
		return nil, true
	}
	_, file, ok := strings.Cut(cmd.Args[i].Value, "=")
	if !ok {
		file = strings.TrimPrefix(cmd.Args[i].Value, "-f")
	}
	if (file == "" || strings.HasPrefix(file, "--")) && i+1 < len(cmd.Args) {
		file = cmd.Args[i+1].Value
	}
	if file != "-" && file != "/dev/stdin" && !strings.HasPrefix(file, "/dev/fd/") {
		return nil, true
	}
	if cmd.Stdin == nil || len(cmd.Stdin.Value) > maxSnippet {
		return nil, false
	}
	known = cmd.Stdin.Known && !strings.Contains(strings.ReplaceAll(cmd.Stdin.Value, "$$", ""), "$") && !strings.Contains(cmd.Stdin.Value, "!=")
	for line := range strings.Lines(cmd.Stdin.Value) {
		text, recipe := strings.CutPrefix(line, "\t")
		if !recipe {
			_, text, _ = strings.Cut(line, ";")
		}
		text = strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(text), "@-+ "), "$$", "$")
		if text != "" {
			texts = append(texts, assent.Word{Text: text, Value: text, Known: cmd.Stdin.Known})
		}
	}
	return texts, known
}
