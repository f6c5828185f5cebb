//go:build unix

package main

// An agent that leaves assent's own commands aside and speaks to the doors itself.

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// tryDoors asks every door to approve the first request, and prints what each
// answers.
func tryDoors() int {
	home := os.Getenv("ASSENT_HOME")
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(home, name))
		if err != nil {
			fmt.Println(err)
		}
		return strings.TrimSpace(string(raw))
	}
	type door struct {
		name, url, token string
		client           *http.Client
	}
	var doors []door
	for _, name := range []string{"assent.sock", "hold.sock", "grant.sock", "audit.sock"} {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(home, name))
		}
		doors = append(doors, door{name, "http://assent", "", &http.Client{Transport: &http.Transport{DialContext: dial}}})
	}
	for _, facet := range []string{"requester", "holder", "granter", "auditor"} {
		doors = append(doors, door{facet, read("http.addr"), read("tokens/" + facet), http.DefaultClient})
	}
	for _, door := range append(doors, door{"guess", read("http.addr"), "guess", http.DefaultClient}) {
		req, err := http.NewRequest("POST", door.url+"/v1/requests/req_1/answer", strings.NewReader(`{"decision":"allow"}`))
		if err != nil {
			return failed(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+door.token)
		resp, err := door.client.Do(req)
		if err != nil {
			return failed(err)
		}
		_ = resp.Body.Close()
		fmt.Println(door.name, resp.StatusCode)
	}
	return 0
}

// listenAs answers at a socket that is somebody else's place, and prints what it hears.
func listenAs(path string) int {
	l, err := net.Listen("unix", path)
	if err != nil {
		return failed(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return failed(err)
		}
		_, _ = io.Copy(os.Stdout, c)
	}
}
