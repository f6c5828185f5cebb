package main

// assent grants handle: a secret by which a grant's holder shows that it is the one.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assent"
	"assent/config"
	"assent/internal/peer"
	"assent/surface/terminal"
)

func (a *app) grantsHandleCmd() *cobra.Command {
	var h assent.Handling
	var out, key string
	var pid int
	c := &cobra.Command{
		Use:   "handle ID --out FILE (--to SESSION | --pid PID)",
		Short: "Make a handle of a grant, for a holder that its connection does not prove",
		Long: "Make a handle of a grant, for a holder that its connection does not prove.\n" +
			"A handle is a secret. It works for the session or the process that it is made for, and for\n" +
			"nobody else; only its hash is kept. It goes into a file for you alone, and never onto a screen.",
		Args: oneGrant,

		ValidArgsFunction: a.completeGrants,
		RunE: func(cmd *cobra.Command, args []string) error {
			h.Grant = fullID("gr_", args[0])
			switch {
			case out == "":
				return usage("say where the handle goes: --out FILE, or --out - into a pipe")
			case h.Holder.Session == "" && pid == 0:
				return usage("say whose it is: --to SESSION, or --pid PID for a process and what it starts")
			case out == "-" && a.onTerminal():
				return usage("a handle is a secret and is not shown on a terminal: --out FILE")
			}
			if pid != 0 {
				p, err := peer.Inspect(pid)
				if err != nil {
					return exit{exitNotFound, fmt.Errorf("there is no process %d that can be looked at", pid), ""}
				}
				h.Holder.Process = &p
			}
			return a.handle(cmd, h, out, key)
		},
	}
	c.Flags().StringVar(&h.Holder.Session, "to", "", "the session that may use it, by its beginning; or a request, for the session that asked it")
	c.Flags().IntVar(&pid, "pid", 0, "the process that may use it, and what it starts, for as long as it lives")
	c.Flags().StringVar(&out, "out", "", "a new file for it")
	c.Flags().StringVarP(&h.Note, "message", "m", "", "a note for the log")
	c.Flags().StringVar(&key, "key", "", "approver key file, where there is no terminal")
	return c
}

func (a *app) onTerminal() bool {
	f, ok := a.out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (a *app) handle(cmd *cobra.Command, h assent.Handling, out, key string) error {
	d, err := a.dial(cmd.Context())
	if err != nil {
		return err
	}
	defer d.Close()
	if h.Holder.Session != "" {
		if h.Holder.Session, err = a.holder(cmd.Context(), d, h.Holder.Session); err != nil {
			return err
		}
	}
	file, err := handleFile(out)
	if err != nil {
		return err
	}
	h.At = a.clock()
	err = a.sign(&h.Proof, key, h.Signed)
	var held assent.Held
	if err == nil {
		held, err = a.deliver(cmd, d, h, file)
	}
	if file != nil {
		err = errors.Join(err, file.Close())
		if err != nil {
			err = errors.Join(err, os.Remove(out))
		}
	}
	if err != nil || file == nil {
		return err
	}
	if a.json {
		return a.printJSON(held)
	}
	fmt.Fprintf(a.out, "%s: a handle of %s in %s; use it with: assent exec --handle-file %s -- …\n", held.ID, held.Grant, terminal.Escape(out), terminal.Escape(out))
	return nil
}

// deliver makes the handle and writes it where it goes.
func (a *app) deliver(cmd *cobra.Command, d config.Assent, h assent.Handling, file *os.File) (assent.Held, error) {
	secret, held, err := d.Hold(cmd.Context(), h)
	if err != nil {
		return held, err
	}
	if file == nil {
		_, err = fmt.Fprintln(a.out, secret)
	} else {
		_, err = fmt.Fprintln(file, secret)
	}
	return held, err
}

// handleFile makes the file before there is anything to write: a handle that has
// nowhere to go is not made. nil is standard output.
func handleFile(path string) (*os.File, error) {
	if path == "-" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, exit{exitConflict, fmt.Errorf("%s is there already", path), "name a new file: a handle is written into no file that somebody may have open"}
	}
	return f, err
}
