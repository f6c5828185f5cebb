package analyze

// Numeric addresses, in all of their spellings, and which of them are near.

import (
	"net/netip"
	"strconv"
	"strings"
)

// ip is the numeric address that a host stands for, in any of its spellings:
// 127.1, 0x7f000001, 2130706433, 0177.0.0.1, ::ffff:127.0.0.1.
func ip(host string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap(), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var n uint64
	for i, p := range parts {
		x, err := strconv.ParseUint(p, 0, 33)
		if err != nil || strings.Contains(p, "_") || i < len(parts)-1 && x > 255 {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			n = n<<(8*(5-len(parts))) | x
		} else {
			n = n<<8 | x
		}
	}
	if n > 1<<32-1 {
		return netip.Addr{}, false
	}
	return netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}), true
}

// loopback reports whether a host is this machine itself.
func loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host == "host.docker.internal" {
		return true
	}
	a, ok := ip(host)
	return ok && (a.IsLoopback() || a.IsUnspecified())
}

// private reports whether a host is of a local network.
func private(host string) bool {
	for _, end := range []string{".local", ".internal", ".lan", ".corp", ".intranet", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	a, ok := ip(host)
	return ok && (a.IsPrivate() || a.IsLinkLocalUnicast())
}
