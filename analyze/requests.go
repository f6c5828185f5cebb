package analyze

// Requests to web services: what they delete, and which secrets they tell.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

func asksWeb(name string) bool { return slices.Contains(fetchers, name) }

// request is one call of a web service.
type request struct {
	cmd    assent.Command
	args   programs.Arguments
	method string
	to     []address
}

func readRequest(cmd assent.Command) request {
	r := request{cmd: cmd, args: programs.Read(cmd), to: addresses(cmd)}
	for _, w := range r.args.Values("X request method") {
		r.method = strings.ToUpper(w.Value)
	}
	switch cmd.Name {
	case "http", "https", "xh", "xhs":
		if first := r.args.Word(0); first != "" && first == strings.ToUpper(first) && isName(first) {
			r.method = first
		}
	case "gh", "glab":
		if r.args.Word(0) != "api" {
			r.method = ""
		} else if len(r.to) == 0 {
			r.to = []address{{host: map[string]string{"gh": "api.github.com", "glab": "gitlab.com"}[cmd.Name], path: r.args.Word(1)}}
		}
	}
	return r
}

func isName(s string) bool { return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" }

func (r request) host() string {
	if len(r.to) == 0 {
		return ""
	}
	return r.to[len(r.to)-1].host
}

func (r request) target() string {
	if len(r.to) == 0 {
		return ""
	}
	return r.to[len(r.to)-1].String()
}

// dataPorts are those on which, by custom, databases and services listen that
// hold data or steer other machines; on the same machine as well.
var dataPorts = []string{"2375", "2376", "2379", "4001", "4646", "5984", "6333", "6443", "7474", "7700", "8001", "8086", "8108", "8123", "8200", "8444", "8500", "8529", "8983", "9090", "9091", "9093", "9200", "9201", "9300", "10250", "10255", "15672", "19530", "27017", "5601"}

// deletes says how a request deletes something, if it does. What runs on this
// machine counts when it keeps data.
func (r request) deletes() string {
	ours := r.host() != "" && loopback(r.host())
	if ours && !slices.ContainsFunc(r.to, func(a address) bool { return slices.Contains(dataPorts, a.port) }) {
		return ""
	}
	where := "on another machine" + to(r.host())
	if ours {
		where = "in a service of this machine that keeps data"
	}
	if r.method == "DELETE" {
		return "It deletes something " + where + "."
	}
	if r.method == "GET" || r.method == "HEAD" || r.method == "OPTIONS" || r.method == "" && !r.sends() {
		return ""
	}
	for _, a := range r.to {
		if verb := deletingVerb(a.path); verb != "" {
			return "It asks for " + verb + " " + where + "."
		}
	}
	return ""
}

// sends reports whether a request has a body.
func (r request) sends() bool {
	return r.args.Option("-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form -T --upload-file --post-data --post-file --body-data --body-file -f --field --raw-field")
}

// deletingVerbs are how paths of web services say that something goes away.
var deletingVerbs = []string{"delete", "remove", "destroy", "purge", "wipe", "drop", "truncate", "flush", "clear", "terminate", "close", "reset", "dodelete", "delete_by_query", "delete-batch", "deleteall", "shutdown", "forcemerge", "delete_series", "clean_tombstones", "delete_by_query", "deletebyquery", "bulk-delete", "bulk_delete", "batch-delete", "batchdelete"}

func deletingVerb(path string) string {
	for part := range strings.SplitSeq(path, "/") {
		if p := strings.TrimLeft(strings.ToLower(part), "_:"); slices.Contains(deletingVerbs, p) {
			return part
		}
	}
	return ""
}

// keyNames are what parameters of addresses are called that hold a secret.
var keyNames = []string{"api_key", "apikey", "api-key", "key", "token", "access_token", "auth_token", "auth", "secret", "client_secret", "password", "passwd", "sig"}

// keyed returns what secret a request has in plain sight in its address, or
// takes from a variable into what it sends.
func (r request) keyed() string {
	if r.host() == "" || loopback(r.host()) {
		return ""
	}
	for _, a := range r.to {
		for pair := range strings.SplitSeq(a.query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			if slices.Contains(keyNames, strings.ToLower(name)) && len(value) > 7 {
				return "the secret " + name
			}
		}
	}
	for _, w := range r.args.Operands {
		if name := secretVariable(w); name != "" && !strings.Contains(w.Text, "@") {
			return "the variable " + name
		}
	}
	for _, w := range r.args.Values("d data data-raw data-binary data-urlencode data-ascii json F form post-data body-data") {
		if name := secretVariable(w); name != "" {
			return "the variable " + name
		}
	}
	return ""
}
