package broker

// Which addresses a name may lead to.

import (
	"net/netip"
	"testing"
)

func TestAddressesOfNobodyAreNotPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"1.1.1.1": true, "2606:4700::1111": true, "64:ff9b::101:101": true,
		"127.0.0.1": false, "::1": false, "0.0.0.0": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "fe80::1": false, "fd00:ec2::254": false, "100.100.100.200": false, "168.63.129.16": false,
		"224.0.0.1": false, "255.255.255.255": false, "64:ff9b::a9fe:a9fe": false, "2002:a9fe:a9fe::1": false, "192.0.0.192": false,
	} {
		if got := public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
