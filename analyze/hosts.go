package analyze

// Hosts: what a command asks another machine for, and whether that is one of a
// local network.

import (
	"assent"
	"assent/programs"
)

// nameSpots say where other machines are found by their names.
var nameSpots = at("/etc/hosts", "/etc/resolv.conf", "/etc/resolvconf", "/etc/systemd/resolved.conf", "/etc/resolver", "/private/etc/hosts", "/Windows/System32/drivers/etc/hosts")

var hosts = assent.Analyzer{
	Name:  "hosts",
	Doc:   "Says which other machines a command talks to, and what changes by which names they are found.",
	Codes: []string{"net.read", "net.private", "host.network"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "hosts", "host.network", nameSpots, "It changes %s, by which this machine finds others.")
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
