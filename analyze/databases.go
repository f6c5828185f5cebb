package analyze

// Databases: statements that drop or empty tables, or change anything.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var databases = assent.Analyzer{
	Name:  "databases",
	Doc:   "Says which statements drop or empty databases and tables, and which do not only read.",
	Codes: []string{"db.drop", "db.change.all", "db.change", "secret.write"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if note := destroysData(cmd); note != "" {
				f := assent.Finding{By: "databases", Code: "db.drop", Note: note, Span: cmd.Span}
				switch note {
				case everyRow:
					f.Code = "db.change.all"
				case whoMay:
					f.Code = "secret.write"
				}
				out = append(out, f)
			} else if note := changesData(cmd); note != "" {
				out = append(out, assent.Finding{By: "databases", Code: "db.change", Note: note, Span: cmd.Span})
			}
		})
		return out
	},
}

// clients say where a database client's statements stand in its arguments.
var clients = []struct{ prog, options string }{
	{"psql", "c command"}, {"mysql", "e execute"}, {"mariadb", "e execute"}, {"sqlite3", "cmd"}, {"sqlite", "cmd"}, {"duckdb", "c"},
	{"cockroach", "e execute"}, {"clickhouse-client", "q query"}, {"clickhouse", "q query"}, {"sqlcmd", "Q q"}, {"cqlsh", "e execute"}, {"snowsql", "q query"}, {"bq", ""}, {"usql", "c command"}, {"pgcli", ""}, {"mycli", "e execute"}, {"mongosh", "eval"}, {"mongo", "eval"},
}

// statements are words with which SQL that deletes begins.
var statements = []string{"DROP", "TRUNCATE", "DELETE", "GRANT", "REVOKE", "ALTER", "UPDATE"}

// bareStatement says what SQL does that stands where a program should: whatever
// takes it in, takes it as SQL.
func bareStatement(cmd assent.Command) string {
	verb := strings.ToUpper(cmd.Name)
	if !slices.Contains(statements, verb) || len(cmd.Args) == 0 || programs.Lookup(cmd.Name) != nil { // truncate is one
		return ""
	}
	words := []string{verb}
	for _, w := range cmd.Args {
		words = append(words, tokens(w.Value)...)
	}
	switch next := words[min(1, len(words)-1)]; {
	case verb == "GRANT":
		if slices.Contains(words, "TO") && slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "*.*" || strings.HasSuffix(w.Text, "'%';") }) {
			return "It is SQL that gives somebody rights on all data."
		}
		return ""
	case verb == "DROP" && !slices.Contains([]string{"TABLE", "DATABASE", "SCHEMA", "INDEX", "VIEW", "USER", "ROLE", "COLLECTION", "COLUMN", "FUNCTION", "TRIGGER", "SEQUENCE", "TYPE", "EXTENSION"}, next):
		return ""
	}
	return statementNote(words)
}

func destroysData(cmd assent.Command) string {
	if note := bareStatement(cmd); note != "" {
		return note
	}
	for _, cl := range clients {
		if cl.prog != cmd.Name {
			continue
		}
		if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "-readonly" || w.Value == "--readonly" }) {
			return ""
		}
		a := programs.Read(cmd)
		texts := a.Values(cl.options)
		if len(a.Operands) > 1 || cmd.Name == "bq" || cmd.Name == "duckdb" {
			texts = append(texts, a.Operands[min(1, len(a.Operands)):]...)
		}
		if cmd.Stdin != nil {
			texts = append(texts, *cmd.Stdin)
		}
		for _, w := range cmd.Args { // options of clients that are not in the list above
			if _, v, ok := strings.Cut(w.Value, "="); ok && strings.HasPrefix(w.Value, "--") {
				texts = append(texts, assent.Word{Value: v})
			} else if strings.Contains(w.Value, " ") {
				texts = append(texts, w)
			}
		}
		for _, w := range texts {
			if note := sqlNote(w.Value, strings.HasPrefix(cmd.Name, "mongo")); note != "" {
				return note
			}
		}
	}
	return ""
}

func sqlNote(text string, mongo bool) string {
	if mongo {
		for _, t := range tokens(text) {
			for _, call := range []string{"dropDatabase", "drop", "deleteMany", "remove", "dropIndexes"} {
				if strings.ToUpper(call) == t {
					return "It deletes from the database: " + call + "()."
				}
			}
		}
		return ""
	}
	for statement := range strings.SplitSeq(strings.Join(tokens(text), " "), ";") {
		words := strings.Fields(statement)
		if len(words) == 0 {
			continue
		}
		if note := statementNote(words); note != "" {
			return note
		}
	}
	return ""
}

// recorded are what statements call the record of changes.
var recorded = []string{"BINARY", "MASTER", "SLAVE", "REPLICA"}

// whoMay is the note about a change of who may do what.
const whoMay = "It changes who may use the database, or for what."

// limited reports whether a statement has a condition that does not always hold.
func limited(words []string) bool {
	i := slices.Index(words, "WHERE")
	if i < 0 {
		return false
	}
	rest := words[i+1:]
	always := slices.Equal(rest, []string{"TRUE"}) || slices.Equal(rest, []string{"1"}) || len(rest) == 2 && rest[0] == rest[1] && strings.Trim(rest[0], "0123456789") == ""
	return !always
}

// everyRow is the note about an update without a condition.
const everyRow = "It changes every row of a table."

func statementNote(words []string) string {
	where := limited(words)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case w == "DROP" && i == 0 && next != "":
			return "It drops a " + strings.ToLower(next) + " of the database."
		case w == "DROP" && (next == "COLUMN" || next == "PARTITION"):
			return "It drops a part of a table."
		case i == 0 && (w == "PURGE" || w == "RESET") && slices.Contains(recorded, next):
			return "It deletes the record of changes, by which a database is brought back."
		case i == 0 && (w == "GRANT" || w == "REVOKE" && next != "") || i == 0 && (w == "CREATE" || w == "ALTER") && slices.Contains([]string{"USER", "ROLE", "LOGIN"}, next):
			return whoMay
		case w == "TRUNCATE" && i == 0:
			return "It empties a table."
		case w == "DELETE" && next == "FROM" && !where:
			return "It deletes every row of a table."
		case w == "UPDATE" && i == 0 && !where && len(words) > 3:
			return everyRow
		case w == "FLUSHALL" || w == "FLUSHDB":
			return "It empties the database."
		}
	}
	return ""
}

// tokens splits SQL into words in capitals and ";", without comments and the
// text of strings.
func tokens(sql string) []string {
	var out []string
	for i := 0; i < len(sql); {
		c := sql[i]
		switch {
		case c == '\'' || c == '`' || c == '"':
			end := strings.IndexByte(sql[i+1:], c)
			if end < 0 {
				return out
			}
			i += end + 2
			out = append(out, "NAME")
		case strings.HasPrefix(sql[i:], "--"):
			end := strings.IndexByte(sql[i:], '\n')
			if end < 0 {
				return out
			}
			i += end
		case strings.HasPrefix(sql[i:], "/*"):
			end := strings.Index(sql[i+2:], "*/")
			if end < 0 {
				return out
			}
			i += end + 4
		case c == ';':
			out = append(out, ";")
			i++
		case isWord(c):
			j := i
			for j < len(sql) && isWord(sql[j]) {
				j++
			}
			out = append(out, strings.ToUpper(sql[i:j]))
			i = j
		default:
			i++
		}
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
