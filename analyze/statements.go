package analyze

// Statements: whether what a database client is given only reads.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

// readsOnly are words with which statements begin that only read, or only speak of
// the session itself.
var readsOnly = []string{
	"SELECT", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "WITH", "VALUES", "TABLE", "FROM", "SUMMARIZE", "PRAGMA", "USE", "HELP", "LIST",
	"BEGIN", "START", "COMMIT", "ROLLBACK", "END", "ABORT", "SET", "RESET",
}

// writesToo are words that make more of a statement than a read, wherever they
// stand in it.
var writesToo = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "INTO", "OUTFILE", "DUMPFILE", "WRITEFILE", "LOAD_EXTENSION", "LO_EXPORT", "LO_IMPORT", "PG_TERMINATE_BACKEND", "PG_RELOAD_CONF", "SETVAL", "NEXTVAL", "DBLINK_EXEC", "XP_CMDSHELL", "PG_WRITE_FILE", "SYS_EXEC", "EDIT"}

// clientLooks are commands of the clients themselves that only look.
var clientLooks = []string{
	".tables", ".schema", ".fullschema", ".indexes", ".indices", ".databases", ".dump", ".help", ".mode", ".headers", ".header", ".show", ".stats", ".width", ".dbinfo", ".dbconfig", ".version", ".quit", ".exit", ".print", ".timer", ".echo", ".nullvalue", ".separator", ".lint", ".eqp", ".explain", ".sha3sum", ".columns", ".maxrows", ".maxwidth",
}

// byOperand are the clients that take statements as operands, after the first.
var byOperand = []string{"sqlite3", "sqlite", "duckdb", "sqlcmd", "bq", "usql", "snowsql"}

// changesData is a note when a client is given a statement that is not known to
// only read.
func changesData(cmd assent.Command) string {
	for _, w := range statementsOf(cmd) {
		if !w.Known {
			return "It gives " + cmd.Name + " a statement that is only made when the command runs."
		}
		if len(w.Value) > maxSnippet {
			return "It gives " + cmd.Name + " more statements than are looked at."
		}
		if first := changing(w.Value); first != "" {
			return "It gives " + cmd.Name + " a statement that does not only read (" + first + ")."
		}
	}
	return ""
}

// statementsOf are the statements in the arguments and on the input of an SQL client.
func statementsOf(cmd assent.Command) []assent.Word {
	i := slices.IndexFunc(clients, func(c struct{ prog, options string }) bool { return c.prog == cmd.Name })
	if i < 0 || strings.HasPrefix(cmd.Name, "mongo") || slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Value == "-readonly" || w.Value == "--readonly" }) {
		return nil
	}
	a := programs.Read(cmd)
	out := a.Values(clients[i].options)
	query := cmd.Name != "bq" && cmd.Name != "sqlcmd" || a.Word(0) == "query"
	if slices.Contains(byOperand, cmd.Name) && query && len(a.Operands) > 1 {
		out = append(out, a.Operands[1:]...)
	}
	if cmd.Stdin != nil {
		out = append(out, *cmd.Stdin)
	}
	return out
}

// changing is the first word of the first statement that does not only read.
func changing(text string) string {
	if t := strings.TrimSpace(text); strings.HasPrefix(t, "\\") || strings.HasPrefix(t, ".") {
		return clientCommand(t)
	}
	var words []string
	for _, t := range append(tokens(text), ";") {
		if t != ";" {
			words = append(words, t)
			continue
		}
		if first := writing(words, text); first != "" {
			return first
		}
		words = words[:0]
	}
	return ""
}

// writing is the word for which a statement counts as more than a read.
func writing(words []string, text string) string {
	if len(words) == 0 {
		return ""
	}
	if !slices.Contains(readsOnly, words[0]) {
		return words[0]
	}
	if words[0] == "SET" && len(words) > 1 && slices.Contains([]string{"GLOBAL", "PERSIST", "PERSIST_ONLY"}, words[1]) || words[0] == "RESET" && len(words) > 1 && slices.Contains(recorded, words[1]) {
		return words[0]
	}
	if words[0] == "PRAGMA" && strings.Contains(text, "=") {
		return words[0]
	}
	for _, w := range words[1:] {
		if slices.Contains(writesToo, w) {
			return w
		}
	}
	return ""
}

// clientCommand is a command of the client itself, when it does not only look: "\\!",
// ".import". Those of psql that describe begin with \d or \l.
func clientCommand(text string) string {
	first, _, _ := strings.Cut(text, " ")
	name := strings.TrimRight(strings.TrimPrefix(first, "\\"), "+S")
	switch {
	case text[0] == '.' && slices.Contains(clientLooks, first):
	case text[0] == '\\' && (strings.HasPrefix(name, "d") || strings.HasPrefix(name, "l") && !strings.HasPrefix(name, "lo_") || slices.Contains([]string{"conninfo", "timing", "x", "?", "h", "z", "encoding", "q", "sf", "sv", "c", "pset", "echo", "a", "t"}, name)):
	default:
		return first
	}
	return ""
}
