package rules

// Hosts: the machines that a part talks to, by the structure of its words.

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"assent"
)

// host is a machine that a part talks to.
type host struct {
	name  string // lower case, without a dot at its end; when not known, empty
	known bool
	guess bool // it may be the value of an option
}

// callers are programs whose operands are machines, or addresses without a
// scheme; of dialers the first is; those of senders may be "user@machine:path".
var (
	callers = []string{"curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "nmap", "dig", "nslookup", "host"}
	dialers = []string{"ping", "ping6", "telnet", "nc", "ncat", "netcat", "ssh", "mosh", "sftp", "ftp", "ssh-copy-id", "traceroute", "whois"}
	senders = []string{"scp", "rsync", "git", "rclone"}
)

// told are the machines that facts name.
func told(facts []assent.Finding) []host {
	var out []host
	for _, f := range facts {
		if !strings.HasPrefix(f.Code, "net.") || f.By == knowledge || f.Target == "" || path.IsAbs(f.Target) {
			continue
		}
		h, ok := address(f.Target)
		if !ok {
			h = bare(assent.Word{Value: f.Target, Known: true})
		}
		out = append(out, h)
	}
	return out
}

// dialled is the machine of a file that the shell makes a connection of.
func dialled(r assent.Redirect) (host, bool) {
	for _, dir := range []string{"/dev/tcp/", "/dev/udp/"} {
		if rest, ok := strings.CutPrefix(r.Target.Value, dir); ok {
			name, _, whole := strings.Cut(rest, "/")
			h := machine(name)
			h.known = h.known && (whole || r.Target.Known)
			return h, true
		}
	}
	return host{}, false
}

// hostsOf returns the machines that a command names.
func hostsOf(cmd *assent.Command, operands map[assent.Word]bool) []host {
	var out []host
	all, first := slices.Contains(callers, cmd.Name), slices.Contains(dialers, cmd.Name)
	for _, w := range cmd.Args {
		v := w.Value
		if dashed(v) {
			_, v, _ = strings.Cut(v, "=") // --url=https://…
		}
		h, ok := address(v)
		operand := operands[w]
		switch {
		case ok:
			_, after, _ := strings.Cut(v, "://")
			h.known = h.known && (w.Known || strings.ContainsAny(after, "/?#"))
		case dashed(w.Value):
			continue
		case all, first:
			h = bare(w)
			h.guess = !operand
			first = first && !operand
		case slices.Contains(senders, cmd.Name) && remote(v):
			h = bare(assent.Word{Value: v, Known: true})
		default:
			continue
		}
		out = append(out, h)
	}
	return out
}

// address reads the host of a text with a scheme.
func address(text string) (host, bool) {
	_, after, ok := strings.Cut(text, "://")
	if !ok || strings.HasPrefix(text, "file:") {
		return host{}, false
	}
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		return machine(u.Hostname()), true
	}
	end := strings.IndexAny(after, "/?#\\")
	if end < 0 {
		end = len(after)
	}
	return bare(assent.Word{Value: after[:end], Known: true}), true
}

// bare reads the host of user@host:port or host/path.
func bare(w assent.Word) host {
	v, _, whole := strings.Cut(w.Value, "/")
	if i := strings.LastIndexByte(v, '@'); i >= 0 {
		v = v[i+1:]
	}
	if inner, ok := strings.CutPrefix(v, "["); ok {
		v, _, _ = strings.Cut(inner, "]")
	} else if strings.Count(v, ":") == 1 {
		v, _, _ = strings.Cut(v, ":")
		whole = true
	}
	h := machine(v)
	h.known = h.known && (w.Known || whole)
	return h
}

// remote reports whether a word is host:path, which a slash before the colon
// rules out.
func remote(v string) bool {
	before, _, ok := strings.Cut(v, ":")
	return ok && before != "" && !strings.Contains(before, "/")
}

func machine(name string) host {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if ip, ok := number(name); ok {
		name = ip.String()
	}
	return host{name: name, known: name != ""}
}

// number reads an IPv4 address as the C library does: 0x7f.1, 2130706433.
func number(name string) (netip.Addr, bool) {
	fields := strings.Split(name, ".")
	if len(fields) > 4 {
		return netip.Addr{}, false
	}
	var ip uint64
	for i, f := range fields {
		bits := 8
		if i == len(fields)-1 {
			bits = 8 * (5 - len(fields))
		}
		n, err := strconv.ParseUint(f, 0, bits)
		if err != nil || strings.Contains(f, "_") || len(f) > 1 && strings.ContainsAny(f[1:2], "bBoO") {
			return netip.Addr{}, false // Go reads more than C does
		}
		ip = ip<<bits | n
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}), true
}

// fits reports whether a host is one of the machines that the pattern names.
func (h host) fits(pattern string) bool {
	if network, err := netip.ParsePrefix(pattern); err == nil {
		ip, err := netip.ParseAddr(h.name)
		return err == nil && network.Contains(ip.Unmap())
	}
	if ip, err := netip.ParseAddr(pattern); err == nil {
		mine, err := netip.ParseAddr(h.name)
		return err == nil && mine.Unmap() == ip.Unmap()
	}
	return fits(strings.ToLower(strings.TrimSuffix(pattern, ".")), h.name)
}
