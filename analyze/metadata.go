package analyze

// Cloud metadata services, which hand out credentials, and shells over the
// network.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var metadata = assent.Analyzer{
	Name:  "metadata",
	Doc:   "Says what asks a cloud's metadata service, which hands out credentials.",
	Codes: []string{"net.metadata"},
	Run: func(c assent.Case) []assent.Finding {
		if c.Tool == assent.ToolFetch {
			return fetchedMetadata(c)
		}
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if talks(cmd) || slices.Contains(searchers, cmd.Name) {
				return
			}
			for _, w := range cmd.Args {
				if host, ok := metadataHost(w); ok {
					out = append(out, metadataFinding(host, cmd.Span))
					return
				}
			}
		})
		return out
	},
}

// searchers take a pattern that may look like anything.
var searchers = []string{"grep", "rg", "ag", "ack", "egrep", "fgrep", "zgrep", "git", "sed", "awk", "jq"}

var metadataHosts = []string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "metadata.google.internal", "metadata.goog", "fd00:ec2::254", "192.0.0.192", "instance-data", "2852039166", "0xa9fea9fe", "0xa9.0xfe.0xa9.0xfe", "0251.0376.0251.0376"}

func metadataHost(w assent.Word) (string, bool) {
	if slices.Contains(metadataHosts, strings.ToLower(w.Value)) {
		return strings.ToLower(w.Value), true
	}
	host, _, ok := url(w)
	return host, ok && slices.Contains(metadataHosts, host)
}

func metadataFinding(host string, span assent.Span) assent.Finding {
	return assent.Finding{By: "metadata", Code: "net.metadata", Target: host, Note: "It asks the cloud's metadata service " + host + ", which hands out credentials.", Span: span}
}

func fetchedMetadata(c assent.Case) []assent.Finding {
	fields, err := object(c.Input)
	if err != nil {
		return nil
	}
	text, _ := stringField(fields, "url")
	if host, ok := metadataHost(assent.Word{Value: text, Known: true}); ok {
		return []assent.Finding{metadataFinding(host, assent.Span{})}
	}
	return nil
}

var remoteShells = assent.Analyzer{
	Name:  "remoteshells",
	Doc:   "Says what connects a shell to the network.",
	Codes: []string{"net.shell"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		for _, cmd := range c.Commands {
			if opensShell(cmd) {
				out = append(out, assent.Finding{By: "remoteshells", Code: "net.shell", Note: "It opens a network connection that a shell or a program is tied to.", Span: cmd.Span})
			}
		}
		return out
	},
}

func opensShell(cmd assent.Command) bool {
	for _, r := range cmd.Redirects {
		if strings.HasPrefix(r.Target.Value, "/dev/tcp/") || strings.HasPrefix(r.Target.Value, "/dev/udp/") {
			return true
		}
	}
	switch cmd.Name {
	case "nc", "ncat", "netcat":
		return programs.Read(cmd).Option("-e -c --exec --sh-exec")
	case "socat":
		return slices.ContainsFunc(cmd.Args, func(w assent.Word) bool {
			v := strings.ToUpper(w.Value)
			return strings.HasPrefix(v, "EXEC:") || strings.HasPrefix(v, "SYSTEM:")
		})
	}
	return false
}
