//go:build unix

package main

// An agent that leaves assent's own commands aside and speaks to the doors itself.

import (
	"context"
	"fmt"
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
	socket := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(home, "assent.sock"))
	}}}
	for _, door := range []struct {
		name, url, token string
		client           *http.Client
	}{
		{"socket", "http://assent", "", socket},
		{"token", read("http.addr"), read("token"), http.DefaultClient},
		{"guess", read("http.addr"), "guess", http.DefaultClient},
	} {
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
