package analyze

// Cloud metadata services, which hand out credentials, and addresses that print
// what a service is configured with.

import (
	"net/netip"
	"slices"
	"strings"

	"assent"
)

var metadata = assent.Analyzer{
	Name:  "metadata",
	Doc:   "Says what asks a cloud's metadata service, or an address that prints configuration and credentials.",
	Codes: []string{"net.metadata", "secret.read"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if talks(cmd) || slices.Contains(searchers, cmd.Name) {
				return
			}
			for _, a := range asked(cmd) {
				f := assent.Finding{By: "metadata", Code: "net.metadata", Target: a.String(), Span: cmd.Span}
				switch {
				case isMetadata(a.host):
					f.Note = "It asks the cloud's metadata service " + a.host + ", which hands out credentials."
				case prints(a):
					f.Code, f.Note = "secret.read", "It asks "+a.String()+", where a service prints what it is configured with."
				default:
					continue
				}
				out = append(out, f)
			}
		})
		return out
	},
}

// asked are the addresses of a command, and every argument that by itself is a
// metadata host: programs that nobody knows take hosts as well.
func asked(cmd assent.Command) []address {
	out := addresses(cmd)
	for _, w := range cmd.Args {
		_, v, _ := cutOption(w.Value)
		if v == "" || !strings.ContainsAny(v[:1], "0123456789[mfi") {
			continue // nearly all end here
		}
		if a, ok := parsed(v, true); ok && isMetadata(a.host) && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

// searchers take a pattern that may look like anything.
var searchers = []string{"grep", "rg", "ag", "ack", "egrep", "fgrep", "zgrep", "git", "sed", "gsed", "awk", "gawk", "mawk", "jq"}

// metadataHosts are the addresses and names under which clouds answer.
var metadataHosts = []string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "168.63.129.16", "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com", "rancher-metadata"}

// mirrors are domains whose names stand for the address in front of them.
var mirrors = []string{".nip.io", ".sslip.io", ".xip.io"}

func isMetadata(host string) bool {
	for _, m := range mirrors {
		if before, ok := strings.CutSuffix(host, m); ok {
			host = strings.ReplaceAll(before[strings.LastIndexByte(before, ':')+1:], "-", ".")
			host = lastParts(host, 4)
		}
	}
	if slices.Contains(metadataHosts, host) {
		return true
	}
	if host == "" || host[0] > '9' && !strings.Contains(host, ":") {
		return false
	}
	a, ok := ip(host)
	return ok && slices.ContainsFunc(metadataHosts, func(h string) bool {
		m, err := netip.ParseAddr(h)
		return err == nil && m == a
	})
}

// lastParts are the last n parts of a name with dots.
func lastParts(name string, n int) string {
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-n):], ".")
}

// printers are ends of paths below which services print their configuration.
var printers = []string{"/actuator/env", "/actuator/configprops", "/actuator/heapdump", "/actuator/threaddump", "/.env", "/.git/config", "/.aws/credentials", "/phpinfo.php", "/server-status", "/debug/vars"}

func prints(a address) bool {
	return slices.ContainsFunc(printers, func(p string) bool {
		return strings.HasSuffix(a.path, p) || strings.Contains(a.path, p+"/")
	})
}
