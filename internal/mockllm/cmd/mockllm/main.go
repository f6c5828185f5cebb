// Command mockllm serves a scripted model on a loopback address until it is
// ended, for trying an agent by hand; see package mockllm.
//
//	mockllm -addr 127.0.0.1:18080 -log requests.jsonl
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"assent/internal/mockllm"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mockllm:", err)
		os.Exit(1)
	}
}

func run() error {
	addr := flag.String("addr", "127.0.0.1:0", "loopback address to listen on")
	script := flag.String("script", "", `what is said when the prompt holds no directive, e.g. "!sh echo hi\n!say done"`)
	logFile := flag.String("log", "", "append one JSON line for each request to this file")
	delay := flag.Duration("delay", 0, "wait before each reply")
	whole := flag.Bool("whole", false, "refuse to stream")
	flag.Parse()

	opt := mockllm.Options{
		Fallback: mockllm.ParseScript(strings.ReplaceAll(*script, `\n`, "\n")), Delay: *delay, Whole: *whole,
	}
	if *logFile != "" {
		f, err := os.OpenFile(*logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		opt.Log = f
	}
	ln, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	if ip := ln.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		_ = ln.Close()
		return errors.New("it listens on loopback addresses only")
	}
	fmt.Println("http://" + ln.Addr().String())
	srv := &http.Server{Handler: mockllm.New(opt), ReadHeaderTimeout: 10 * time.Second}
	return srv.Serve(ln)
}
