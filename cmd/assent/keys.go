package main

// assent keys: approver keys, for answering where there is no terminal.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assent"
	"assent/config"
	"assent/roster"
)

func (a *app) keysCmd() *cobra.Command {
	c := &cobra.Command{Use: "keys", Short: "Approver keys: answer where there is no terminal of your own"}
	var out, name, by string
	var passphrase bool
	create := &cobra.Command{
		Use:   "create",
		Short: "Make an approver key and put its public half on the roster",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.createKey(cmd, name, out, by, passphrase)
		},
	}
	create.Flags().StringVar(&name, "name", "me", "whose key it is; answers in the log carry it")
	create.Flags().StringVar(&out, "out", "", "where the private key goes (default: NAME.key in assent's home)")
	create.Flags().StringVar(&by, "key", "", "an approver key that counts already, where there is no terminal; the first key needs none")
	create.Flags().BoolVar(&passphrase, "passphrase", false, "ask for a passphrase that protects the key")
	c.AddCommand(create, a.keysHomeCmd())
	return c
}

// createKey makes the key here and has it enrolled by whoever decides; a key
// that is not enrolled is taken away again.
func (a *app) createKey(cmd *cobra.Command, name, out, by string, protect bool) error {
	h, err := config.Locate(a.env)
	if err != nil {
		return err
	}
	d, err := config.Dial(cmd.Context(), h, a.now)
	if err != nil {
		return err
	}
	defer d.Close()
	var pass []byte
	if protect {
		if pass, err = a.newPassphrase(); err != nil {
			return err
		}
	}
	if out == "" {
		out = filepath.Join(h.Dir, name+".key")
	}
	people := roster.New(h.Approvers())
	public, err := roster.Create(h.Approvers(), name, out, pass)
	var there *fs.PathError
	if errors.As(err, &there) && errors.Is(err, fs.ErrExist) {
		return exit{exitConflict, fmt.Errorf("%s is there already, and nothing is overwritten", there.Path), "choose another --name or --out"}
	}
	if err != nil {
		return err
	}
	n := assent.Enrollment{Name: name, Key: roster.Fingerprint(public), Public: public, At: a.clock()}
	if err = a.sign(&n.Proof, by, n.Signed); err == nil {
		err = d.Enroll(cmd.Context(), n)
	}
	if err != nil {
		return errors.Join(err, people.Remove(name), os.Remove(out))
	}
	if a.json {
		return a.printJSON(map[string]string{"name": name, "fingerprint": n.Key, "key": out})
	}
	fmt.Fprintf(a.out, "key %s of %s: %s\n  approve with: assent approve ID --key %s\n  keep the file where no agent can read it\n", n.Key, name, out, out)
	return nil
}

func (a *app) newPassphrase() ([]byte, error) {
	one, err := a.passphrase("new passphrase: ")
	if err != nil {
		return nil, err
	}
	if len(one) == 0 {
		return nil, usage("an empty passphrase protects nothing; leave --passphrase away if that is what you want")
	}
	two, err := a.passphrase("once more: ")
	if err == nil && !bytes.Equal(one, two) {
		err = usage("the two passphrases differ")
	}
	return one, err
}

// passphrase reads one line from the terminal without showing it.
func (a *app) passphrase(prompt string) ([]byte, error) {
	f, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil, exit{code: exitForbidden, err: errors.New("a passphrase is read from a terminal, and there is none")}
	}
	fmt.Fprint(a.err, prompt)
	defer fmt.Fprintln(a.err)
	return term.ReadPassword(int(f.Fd()))
}

// sign signs with the key file, if one is named.
func (a *app) sign(p *assent.Proof, file string, signed func() ([]byte, error)) error {
	if file == "" {
		return nil
	}
	msg, err := signed()
	if err != nil {
		return err
	}
	key, err := roster.Load(file, func() ([]byte, error) { return a.passphrase("passphrase of " + file + ": ") })
	if errors.Is(err, fs.ErrNotExist) {
		return exit{exitNotFound, fmt.Errorf("there is no key file %s", file), "make one: assent keys create"}
	}
	if err != nil {
		return err
	}
	*p = key.Prove(msg)
	return nil
}
