package analyze

// Addresses: the hosts that a command or a tool talks to.

import (
	"slices"
	"strconv"
	"strings"

	"assent"
	"assent/programs"
)

// address is one place on the network.
type address struct {
	scheme string // empty when none is written
	host   string // in lower case, without user and port
	port   string
	path   string // from the slash on, without the query
	query  string
}

// String is the address as rules match it: a URL without user and query, or
// host:port.
func (a address) String() string {
	s := a.host
	if strings.Contains(s, ":") {
		s = "[" + s + "]"
	}
	if a.port != "" {
		s += ":" + a.port
	}
	if a.scheme != "" {
		s = a.scheme + "://" + s + a.path
	}
	return s
}

// parsed reads an address. bare says that it may be written without a scheme.
func parsed(text string, bare bool) (address, bool) {
	var a address
	scheme, rest, ok := strings.Cut(text, "://")
	switch {
	case ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-") == "":
		a.scheme = strings.ToLower(scheme)
	case bare && hostlike(text):
		rest = text
	default:
		return a, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, a.query, _ = strings.Cut(rest, "?")
	host, path, slash := strings.Cut(rest, "/")
	if slash {
		a.path = "/" + path
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	switch {
	case strings.HasPrefix(host, "["):
		host, a.port, _ = strings.Cut(host[1:], "]")
		a.port = strings.TrimPrefix(a.port, ":")
	case strings.Count(host, ":") == 1:
		host, a.port, _ = strings.Cut(host, ":")
	}
	a.host = strings.ToLower(strings.TrimSuffix(host, "."))
	if a.host == "" && a.port != "" {
		a.host = "localhost" // httpie's short form
	}
	return a, a.host != "" || a.scheme == "file"
}

// hostlike reports whether a word without a scheme may begin with a host.
func hostlike(text string) bool {
	if text == "" || strings.ContainsAny(text[:1], "./-{'\"<@=+&%,") {
		return false
	}
	host, _, _ := strings.Cut(text, "/")
	return strings.ContainsAny(host, ".:[") || host == "localhost" || isNumber(host)
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 0, 33)
	return err == nil && len(s) > 7
}

// fetchers ask a server for something; hosts may stand in their arguments
// without a scheme.
var fetchers = []string{"curl", "wget", "wget2", "aria2c", "fetch", "http", "https", "xh", "xhs", "curlie", "lwp-request", "lynx", "links", "elinks", "w3m", "ftp", "axel", "GET", "POST", "HEAD"}

// connectors take a host and a port as their operands.
var connectors = []string{"nc", "ncat", "netcat", "telnet", "nmap", "ping", "ping6", "traceroute", "tracepath", "mtr", "whois", "ssh", "mosh", "sftp", "scp", "rsync", "dig", "nslookup", "host", "redis-cli", "grpcurl", "websocat", "wscat"}

// hostOptions are options whose value is a host.
const hostOptions = "h host hostname H server url endpoint endpoint-url bootstrap-server connect index-url extra-index-url registry source remote proxy x"

// addresses returns what a command talks to, as far as its words tell.
func addresses(cmd assent.Command) []address {
	var out []address
	add := func(w assent.Word, bare bool) {
		if a, ok := parsed(likely(w), bare); ok && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	if !networked(cmd) {
		for _, w := range cmd.Args {
			if strings.Contains(w.Value, "://") {
				_, v, _ := cutOption(w.Value)
				add(assent.Word{Value: v, Text: w.Text, Known: w.Known}, false)
			}
		}
		return out
	}
	a := programs.Read(cmd)
	for _, w := range a.Values("url " + hostOptions) {
		add(w, true)
	}
	for i, w := range a.Operands {
		switch {
		case slices.Contains(connectors, cmd.Name):
			if one, ok := connected(cmd.Name, a.Operands, i); ok && !slices.Contains(out, one) {
				out = append(out, one)
			}
		case cmd.Name == "socat":
			if one, ok := socatEnd(w.Value); ok {
				out = append(out, one)
			}
		default:
			add(w, true)
		}
	}
	return out
}

func networked(cmd assent.Command) bool {
	return cmd.Name == "socat" || slices.Contains(fetchers, cmd.Name) || slices.Contains(connectors, cmd.Name)
}

// cutOption splits "--option=value" and "option=value".
func cutOption(s string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(s, "=")
	if !ok || strings.Contains(name, "://") {
		return "", s, false
	}
	return name, value, true
}

// connected reads the operand of a program that connects: host, user@host,
// host:path, or a host with the port in the operand after it.
func connected(name string, ops []assent.Word, i int) (address, bool) {
	v := likely(ops[i])
	switch name {
	case "scp", "rsync", "sftp", "ssh", "mosh":
		if name == "ssh" && i > 0 {
			return address{}, false
		}
		if strings.Contains(v, "://") {
			return parsed(v, false)
		}
		host, _, ok := strings.Cut(v, ":")
		if !ok && (name == "scp" || name == "rsync") || strings.Contains(host, "/") || host == "" {
			return address{}, false
		}
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = host[at+1:]
		}
		return address{host: strings.ToLower(host)}, host != ""
	case "nc", "ncat", "netcat", "telnet":
		if i > 0 || v == "" {
			return address{}, false
		}
		a := address{host: strings.ToLower(v)}
		if len(ops) > 1 && ops[1].Known {
			a.port = ops[1].Value
		}
		return a, true
	}
	return parsed(strings.TrimPrefix(v, "@"), true)
}

// socatEnd reads "TCP:host:port" and its kin.
func socatEnd(v string) (address, bool) {
	kind, rest, ok := strings.Cut(v, ":")
	kind = strings.ToUpper(kind)
	if !ok || !strings.HasPrefix(kind, "TCP") && !strings.HasPrefix(kind, "UDP") && !strings.HasPrefix(kind, "OPENSSL") && !strings.HasPrefix(kind, "SSL") && !strings.HasPrefix(kind, "SOCKS") && !strings.HasPrefix(kind, "SCTP") || strings.Contains(kind, "LISTEN") {
		return address{}, false
	}
	rest, _, _ = strings.Cut(rest, ",")
	host, port, _ := strings.Cut(rest, ":")
	return address{host: strings.ToLower(host), port: port}, host != ""
}
