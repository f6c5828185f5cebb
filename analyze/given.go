package analyze

// Texts that programs give to a shell, or start as commands, when an option or
// an operand says so.

import (
	"strings"

	"assent"
	"assent/programs"
)

// givenTexts returns the command lines that a command has another program run.
// flat says that what is not known of them is no matter.
func givenTexts(cmd assent.Command) (texts []assent.Word, flat bool) {
	switch cmd.Name {
	case "git":
		return gitTexts(cmd), true
	case "ssh", "scp", "sftp", "rsync", "autossh", "mosh":
		return append(sshTexts(cmd), escapeTexts(cmd)...), false
	case "make", "gmake":
		fed, known := recipeTexts(cmd)
		if !known {
			fed = append(fed, assent.Word{Text: "$_"})
		}
		return append(makeTexts(cmd), fed...), known
	case "sqlite3", "sqlite", "duckdb", "psql", "usql", "pgcli", "mysql", "mariadb", "mycli", "sqlcmd", "ftp", "lftp", "tftp", "less", "more", "most":
		return escapeTexts(cmd), false
	case "tmux", "screen":
		return typedTexts(cmd), true
	case "gdb", "lldb":
		return debuggerTexts(cmd), true
	case "socat":
		return socatTexts(cmd), false
	case "nc", "ncat", "netcat":
		return programs.Read(cmd).Values("e c exec sh-exec"), false
	case "mapfile", "readarray":
		return programs.Read(cmd).Values("C"), false
	case "complete", "bind":
		return programs.Read(cmd).Values("C"), true
	case "alias":
		return aliasTexts(cmd), true
	}
	return nil, false
}

// gitTexts are settings that begin with "!", and those that are command lines.
func gitTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	a := programs.Read(cmd)
	add := func(key string, w assent.Word) {
		key = strings.ToLower(key)
		switch {
		case strings.HasPrefix(w.Value, "!"):
			out = append(out, assent.Word{Text: w.Value[1:], Value: w.Value[1:], Known: w.Known})
		case key == "core.sshcommand" || key == "core.pager" || key == "core.editor" || key == "sequence.editor" || key == "core.fsmonitor" || key == "diff.external" || strings.HasSuffix(key, ".textconv") || strings.HasPrefix(key, "filter.") || strings.HasPrefix(key, "pager."):
			if strings.Contains(w.Value, " ") {
				out = append(out, w)
			}
		}
	}
	for _, w := range a.Values("c") {
		if key, val, ok := strings.Cut(w.Value, "="); ok {
			add(key, assent.Word{Text: val, Value: val, Known: w.Known})
		}
	}
	switch {
	case a.Word(0) == "config" && len(a.Operands) > 2:
		add(a.Word(len(a.Operands)-2), a.Operands[len(a.Operands)-1])
	case a.Word(0) == "rebase":
		out = append(out, a.Values("x exec")...)
	case a.Word(0) == "bisect" && a.Word(1) == "run" && len(a.Operands) > 2:
		out = append(out, asText(a.Operands[2:]))
	case a.Word(0) == "submodule" && a.Word(1) == "foreach" && len(a.Operands) == 3:
		out = append(out, a.Operands[2])
	case a.Word(0) == "filter-branch":
		out = append(out, a.Values("tree-filter index-filter msg-filter env-filter parent-filter commit-filter")...)
	}
	return out
}

// sshOptions are options of ssh whose value is a command that it starts here.
var sshOptions = []string{"proxycommand", "localcommand", "knownhostscommand", "proxyusefdpass", "remotecommand", "match exec"}

func sshTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	for _, w := range programs.Read(cmd).Values("o") {
		key, val, ok := strings.Cut(w.Value, "=")
		if !ok {
			key, val, ok = strings.Cut(w.Value, " ")
		}
		for _, want := range sshOptions {
			if ok && strings.EqualFold(strings.TrimSpace(key), want) && val != "none" {
				out = append(out, assent.Word{Text: val, Value: val, Known: w.Known})
			}
		}
	}
	return out
}

// makeTexts are variables of make that name what it starts.
func makeTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	for _, w := range cmd.Args {
		name, val, ok := strings.Cut(w.Value, "=")
		if ok && (name == "SHELL" || name == "MAKE" || name == ".SHELLFLAGS") && strings.Contains(val, " ") {
			out = append(out, assent.Word{Text: val, Value: val, Known: w.Known})
		}
		if text, eval := strings.CutPrefix(w.Value, "--eval="); eval {
			if _, call, ok := strings.Cut(text, "$(shell "); ok {
				call = strings.TrimSuffix(call, ")")
				out = append(out, assent.Word{Text: call, Value: call, Known: w.Known})
			}
		}
	}
	return out
}

// typedTexts are what is typed into a terminal, or started in a new one.
func typedTexts(cmd assent.Command) []assent.Word {
	a := programs.Read(cmd)
	var out []assent.Word
	for i, w := range cmd.Args {
		switch v := cmd.Args[max(0, i-1)].Value; {
		case cmd.Name == "screen" && i > 0 && v == "stuff":
			out = append(out, assent.Word{Text: w.Text, Value: strings.TrimRight(w.Value, "\n\r"), Known: w.Known})
		case cmd.Name == "tmux" && a.Word(0) == "send-keys" && strings.Contains(w.Value, " "):
			out = append(out, w)
		}
	}
	switch a.Word(0) {
	case "new", "new-session", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window", "run-shell", "run", "if-shell", "pipe-pane", "display-popup", "popup":
		if cmd.Name == "tmux" && len(a.Operands) > 1 {
			out = append(out, a.Operands[len(a.Operands)-1])
		}
	}
	return out
}

// debuggerTexts are commands that a debugger has a process start.
func debuggerTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	for _, w := range cmd.Args {
		for _, call := range []string{`system("`, `popen("`, "shell ", "!"} {
			if call == "!" && !strings.HasPrefix(w.Value, "!") || call == "shell " && !strings.HasPrefix(w.Value, "shell ") {
				continue
			}
			if _, rest, ok := strings.Cut(w.Value, call); ok {
				rest, _, _ = strings.Cut(rest, `"`)
				out = append(out, assent.Word{Text: rest, Value: rest, Known: w.Known})
			}
		}
	}
	return out
}

// socatTexts are the commands that socat ties to a connection.
func socatTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	for _, w := range cmd.Args {
		kind, rest, ok := strings.Cut(w.Value, ":")
		if kind = strings.ToUpper(kind); ok && (kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL") {
			if i := strings.LastIndexByte(rest, ','); i > 0 && !strings.ContainsAny(rest[i:], "'\" ") {
				rest = rest[:i]
			}
			rest = strings.ReplaceAll(rest, `\"`, `"`)
			out = append(out, assent.Word{Text: rest, Value: rest, Known: w.Known})
		}
	}
	return out
}

// aliasTexts are the commands that aliases stand for.
func aliasTexts(cmd assent.Command) []assent.Word {
	var out []assent.Word
	for _, w := range cmd.Args {
		if _, val, ok := strings.Cut(w.Value, "="); ok && w.Known && strings.ContainsAny(val, "|;&$`") {
			out = append(out, assent.Word{Text: val, Value: val, Known: true})
		}
	}
	return out
}
