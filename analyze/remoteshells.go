package analyze

// Shells over the network, and doors that are opened to others.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var remoteShells = assent.Analyzer{
	Name:  "remoteshells",
	Doc:   "Says what connects a shell to the network, or lets others reach into it.",
	Codes: []string{"net.shell", "net.listen"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if note := opensShell(cmd); note != "" {
				out = append(out, assent.Finding{By: "remoteshells", Code: "net.shell", Target: target(cmd), Note: note, Span: cmd.Span})
			} else if note := opensDoor(cmd); note != "" {
				out = append(out, assent.Finding{By: "remoteshells", Code: "net.listen", Target: target(cmd), Note: note, Span: cmd.Span})
			}
		})
		return out
	},
}

// target is the first address of a command, as rules match it.
func target(cmd assent.Command) string {
	if all := addresses(cmd); len(all) > 0 {
		return all[0].String()
	}
	return ""
}

func opensShell(cmd assent.Command) string {
	for _, r := range cmd.Redirects {
		if socket(r.Target.Value) {
			return "It opens a network connection that a shell or a program is tied to."
		}
	}
	if slices.Contains(cmd.Via, "coproc") && (networked(cmd) || cmd.Name == "openssl") {
		return "It keeps a network connection open that later commands can talk through."
	}
	switch cmd.Name {
	case "nc", "ncat", "netcat":
		if programs.Read(cmd).Option("-e -c --exec --sh-exec --lua-exec") {
			return "It opens a network connection that a program is tied to."
		}
	case "socat":
		for _, w := range cmd.Args {
			kind, _, _ := strings.Cut(strings.ToUpper(w.Value), ":")
			kind, _, _ = strings.Cut(kind, ",")
			if kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL" {
				return "It ties a program to a connection."
			}
		}
	}
	return ""
}

// socket reports whether a path is one that shells take for a connection.
func socket(path string) bool {
	return strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/")
}

// opensDoor says how a command lets others connect to this machine.
func opensDoor(cmd assent.Command) string {
	switch cmd.Name {
	case "ssh":
		a := programs.Read(cmd)
		for _, o := range a.Options {
			forward := o.Name == "R" || o.Name == "o" && strings.HasPrefix(strings.ToLower(o.Value.Value), "remoteforward")
			if forward || o.Name == "L" && strings.Count(o.Value.Value, ":") == 3 && !strings.HasPrefix(o.Value.Value, "127.") && !strings.HasPrefix(o.Value.Value, "localhost") {
				return "It lets another machine connect through to this one, or to its network."
			}
		}
	case "socat":
		if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return strings.Contains(strings.ToUpper(w.Value), "-LISTEN:") }) {
			return "It waits for connections and passes them on."
		}
	}
	for i, w := range cmd.Args {
		v := w.Value
		if i > 0 && strings.HasPrefix(v, "0.0.0.0") && (cmd.Args[i-1].Value == "--host" || cmd.Args[i-1].Value == "--bind" || cmd.Args[i-1].Value == "-b" || cmd.Args[i-1].Value == "--address") ||
			v == "--host=0.0.0.0" || v == "--bind=0.0.0.0" || v == "--address=0.0.0.0" {
			return "It lets every machine of the network connect to the service that it starts."
		}
	}
	return ""
}
