package analyze

// Acts: commands that would do the same as something that is no command. The
// facts about them are the facts about a file tool's call, or about code in
// another language.

import (
	"encoding/json"
	"slices"
	"strings"

	"assent"
	"assent/shell"
)

// act makes an act. Its program has no text: nobody wrote it.
func act(name, dir string, span assent.Span, args ...assent.Word) assent.Command {
	return assent.Command{Program: assent.Word{Value: name, Known: true}, Name: name, Args: args, Dir: dir, Span: span}
}

// acted reports whether a command is an act.
func acted(cmd assent.Command) bool {
	return cmd.Program.Text == "" && cmd.Program.Known && cmd.Name != ":"
}

func said(text string) assent.Word { return assent.Word{Text: text, Value: text, Known: true} }

// toolActs returns what a call of a tool that is no shell would do.
func toolActs(c assent.Case, fields map[string]json.RawMessage) []assent.Command {
	switch c.Tool {
	case assent.ToolShell:
		return nil
	case assent.ToolRead, assent.ToolWrite, assent.ToolEdit:
		text, ok := stringField(fields, "path")
		if !ok {
			return nil
		}
		return fileActs(c, fileAct(c.Tool), text)
	case assent.ToolFetch:
		if text, ok := stringField(fields, "url"); ok {
			return []assent.Command{act("curl", c.Dir, assent.Span{}, append(sent(fields), said(text))...)}
		}
		return nil
	}
	return otherActs(c, fields)
}

// sent are the words with which curl would send what a fetch sends.
func sent(fields map[string]json.RawMessage) []assent.Word {
	var out []assent.Word
	if method, ok := stringField(fields, "method"); ok {
		out = append(out, said("-X"), said(method))
	}
	if body, ok := stringField(fields, "body"); ok {
		out = append(out, said("--data-raw"), said(body))
	}
	return out
}

// fileActs are what a tool does to a file: to where its path leads, and to the name by
// which it goes there, where links make that another.
func fileActs(c assent.Case, verb, text string) []assent.Command {
	to, by := settled(text, c.Dir, c.Places), asWritten(text, c.Dir, c.Places)
	out := []assent.Command{act(verb, c.Dir, assent.Span{}, said(to))}
	if by != to {
		out = append(out, act(verb, c.Dir, assent.Span{}, said(by)))
	}
	return out
}

func fileAct(tool string) string {
	switch tool {
	case assent.ToolRead:
		return "cat"
	case assent.ToolEdit:
		return "ed"
	}
	return "tee"
}

// pathFields, urlFields, commandFields and queryFields are what tools of others
// call the fields that name a file, an address, a command or a statement.
var (
	pathFields    = []string{"path", "file", "file_path", "filepath", "filename", "file_name", "source", "destination", "target_file", "paths", "files", "directory", "dir", "notebook_path", "absolute_path"}
	urlFields     = []string{"url", "uri", "href", "link", "endpoint"}
	commandFields = []string{"command", "cmd", "script", "shell_command"}
	queryFields   = []string{"sql", "query", "statement"}
)

// otherActs reads the fields of a tool that nobody knows, by their names.
func otherActs(c assent.Case, fields map[string]json.RawMessage) []assent.Command {
	verb := verbOf(c.Tool)
	var out []assent.Command
	for name, raw := range fields {
		for _, text := range textsOf(raw) {
			switch {
			case slices.Contains(pathFields, name) && !strings.Contains(text, "://"):
				out = append(out, fileActs(c, verb, text)...)
			case slices.Contains(pathFields, name), slices.Contains(urlFields, name):
				out = append(out, act("curl", c.Dir, assent.Span{}, said(text)))
			case slices.Contains(queryFields, name):
				out = append(out, act("psql", c.Dir, assent.Span{}, said("-c"), said(text)))
			case slices.Contains(commandFields, name):
				out = append(out, shell.Parse(text, c.Dir, c.Places.Home).Commands...)
			}
		}
	}
	for i := range out {
		out[i].Span = assent.Span{}
	}
	return out
}

// textsOf are the texts of a field: one, or those of a list.
func textsOf(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// verbOf is the program that does to a path what the name of a tool says.
func verbOf(tool string) string {
	name := strings.ToLower(tool[strings.LastIndexByte(tool, '/')+1:])
	for _, v := range []struct{ part, prog string }{
		{"delete", "rm"}, {"remove", "rm"}, {"unlink", "rm"}, {"write", "tee"}, {"edit", "tee"}, {"create", "tee"}, {"append", "tee"}, {"replace", "tee"}, {"patch", "tee"}, {"insert", "tee"}, {"update", "tee"}, {"save", "tee"}, {"move", "rm"}, {"rename", "rm"},
	} {
		if strings.Contains(name, v.part) {
			return v.prog
		}
	}
	return "cat"
}
