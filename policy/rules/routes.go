package rules

// Routes: the machines that options and variables send a command to.

import (
	"slices"
	"strings"

	"assent"
)

// routes are options whose value is a machine, of whatever program; those of
// mapping are lists of machines and ports; and letters are those of some programs.
var (
	routes  = []string{"--host", "--hostname", "--server", "--proxy", "--proxy1.0", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--connect-to", "--resolve", "--endpoint", "--address", "--addr", "--bootstrap-server", "--broker-list", "-connect", "-proxy"}
	mapping = []string{"--connect-to", "--resolve"}
	clients = []string{"psql", "pg_dump", "pg_dumpall", "pg_restore", "pg_isready", "pgbench", "createdb", "dropdb", "createuser", "dropuser", "vacuumdb", "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "mycli", "pgcli", "redis-cli", "valkey-cli", "mongo", "mongodump", "mongorestore", "clickhouse-client", "ldapsearch", "mosquitto_pub", "mosquitto_sub"}
	secure  = []string{"ssh", "scp", "sftp"}
)

// lettersOf are the short options of a program whose value is a machine.
func lettersOf(name string) string {
	switch {
	case name == "curl", name == "nc":
		return "x"
	case slices.Contains(clients, name):
		return "h"
	case slices.Contains(secure, name):
		return "JW"
	}
	return ""
}

// routed returns the machines that the options and variables of a command name.
func routed(cmd *assent.Command) []host {
	var out []host
	letters := lettersOf(cmd.Name)
	for i, w := range cmd.Args {
		var next assent.Word
		if i+1 < len(cmd.Args) {
			next = cmd.Args[i+1]
		}
		name, value, glued := strings.Cut(w.Value, "=")
		switch {
		case slices.ContainsFunc(routes, func(r string) bool { return routeGiven(r, name) }):
			if glued {
				next = assent.Word{Value: value, Known: w.Known}
			}
			out = append(out, machines(next, mapped(name))...)
		case slices.Contains(secure, cmd.Name) && strings.HasPrefix(w.Value, "-o"):
			text := w.Value[2:]
			if text == "" {
				text = next.Value
			}
			out = append(out, configured(text)...)
		case letters != "" && dashed(w.Value) && w.Value[1] != '-':
			if at := strings.IndexAny(w.Value, letters); at > 0 && !strings.ContainsFunc(w.Value[1:at], func(r rune) bool { return !isLetter(r) }) {
				if rest := w.Value[at+1:]; rest != "" || !w.Known {
					next = assent.Word{Value: rest, Known: w.Known}
				}
				out = append(out, machines(next, false)...)
			}
		case slices.Contains(clients, cmd.Name) || cmd.Name == "socat":
			out = append(out, connected(w)...)
		}
	}
	return append(out, fromEnv(cmd.Env)...)
}

// routeGiven reports whether an option is one of routes, perhaps cut short.
func routeGiven(route, given string) bool {
	return given == route || len(given) > len("--xyz") && strings.HasPrefix(given, "--") && strings.HasPrefix(route, given)
}

func mapped(name string) bool {
	return slices.ContainsFunc(mapping, func(r string) bool { return routeGiven(r, name) })
}

// machines reads the value of an option: one machine or several.
func machines(w assent.Word, fields bool) []host {
	if h, ok := address(w.Value); ok {
		h.known = h.known && w.Known
		return []host{h}
	}
	var out []host
	for item := range strings.SplitSeq(w.Value, ",") {
		if !fields {
			out = append(out, bare(assent.Word{Value: item, Known: w.Known}))
			continue
		}
		for _, f := range strings.Split(item, ":") {
			if f = strings.TrimLeft(f, "+-"); f != "" && strings.Trim(f, "0123456789") != "" {
				out = append(out, bare(assent.Word{Value: f, Known: w.Known}))
			}
		}
	}
	return out
}

// configured reads an option as the configuration of ssh has it: HostName=x.
func configured(text string) []host {
	name, value, ok := strings.Cut(text, "=")
	if name = strings.ToLower(strings.TrimSpace(name)); !ok || name != "hostname" && name != "proxyjump" {
		return nil
	}
	return machines(assent.Word{Value: strings.TrimSpace(value), Known: true}, false)
}

// connected reads a word that says where to connect to: "host=x dbname=y", and
// TCP:x:80.
func connected(w assent.Word) []host {
	var out []host
	for field := range strings.FieldsSeq(w.Value) {
		name, value, ok := strings.Cut(field, "=")
		if ok && (name == "host" || name == "hostaddr") {
			out = append(out, machines(assent.Word{Value: strings.Trim(value, "'"), Known: w.Known}, false)...)
		}
	}
	kind, rest, ok := strings.Cut(strings.ToLower(w.Value), ":")
	if ok && slices.ContainsFunc([]string{"tcp", "udp", "openssl", "ssl", "sctp", "proxy", "socks"}, func(k string) bool { return strings.HasPrefix(kind, k) }) && !strings.Contains(kind, "listen") {
		out = append(out, bare(assent.Word{Value: strings.Split(rest, ",")[0], Known: w.Known}))
	}
	return out
}

// fromEnv reads variables that name a machine: PGHOST, https_proxy.
func fromEnv(env []assent.Assign) []host {
	var out []host
	for _, a := range env {
		name := strings.ToUpper(a.Name)
		if name != "NO_PROXY" && (strings.HasSuffix(name, "HOST") || strings.HasSuffix(name, "HOSTADDR") || strings.HasSuffix(name, "_PROXY")) {
			out = append(out, machines(a.Value, false)...)
		}
	}
	return out
}
