package analyze

// Hosts: what a command asks another machine for, and whether that is one of a
// local network.

import (
	"assent"
	"assent/programs"
)

var hosts = assent.Analyzer{
	Name:  "hosts",
	Doc:   "Says which other machines a command talks to.",
	Codes: []string{"net.read", "net.private"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if talks(cmd) {
				return
			}
			all := addresses(cmd)
			asks := len(all) > 0 && (acted(cmd) || does(cmd.Name, programs.Read(cmd), "net.read"))
			for _, a := range all {
				if a.host == "" {
					continue
				}
				if asks {
					out = append(out, assent.Finding{By: "hosts", Code: "net.read", Target: a.String(), Note: "It asks " + a.String() + " for something.", Span: cmd.Span})
				}
				if private(a.host) {
					out = append(out, assent.Finding{By: "hosts", Code: "net.private", Target: a.String(), Note: "It talks to " + a.host + ", a machine of a local network.", Span: cmd.Span})
				}
			}
		})
		return out
	},
}
