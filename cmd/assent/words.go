package main

// The words of a command line: which command they name, how many there may be,
// and what is said of those that cannot be understood.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent"
)

// group makes a command that only has others: alone it prints its help, and it
// knows no other words.
func group(c *cobra.Command) *cobra.Command {
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return noCommand(cmd, args[0])
	}
	return c
}

// noCommand says that a group has no command of this name, and what it may have
// been meant for.
func noCommand(c *cobra.Command, word string) error {
	_, path, _ := strings.Cut(c.CommandPath()+" "+word, " ")
	text := fmt.Sprintf("there is no command %q", path)
	c.SuggestionsMinimumDistance = max(1, min(2, len(word)/3)) // letters: of a short word little is left
	if like := c.SuggestionsFor(word); len(like) > 0 {
		text += "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return usage("%s", text)
}

// helpCmd prints the help of a command, and knows which there are.
func helpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) > 0 {
				err = noCommand(c, rest[0])
			}
			if err != nil {
				return err
			}
			return c.Help()
		},
	}
}

// versionFlag makes --version and -v of the root command what version is.
func (a *app) versionFlag(root *cobra.Command) {
	var asked bool
	root.Flags().BoolVarP(&asked, "version", "v", false, "print the version")
	alone := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if asked && len(args) == 0 {
			return a.version()
		}
		return alone(cmd, args)
	}
}

// wrapArgs makes a wrong number of arguments a usage error.
func wrapArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			var said exit
			if err == nil || errors.As(err, &said) {
				return err
			}
			return usage("%s takes %s", cmd.CommandPath(), atMost(check, cmd, args))
		}
	}
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
}

// atMost says how many arguments a command takes that was given others.
func atMost(check cobra.PositionalArgs, cmd *cobra.Command, args []string) string {
	switch {
	case len(args) == 0:
		return "an argument"
	case check(cmd, args[:1]) == nil:
		return "one argument"
	}
	return "no argument"
}

// oneRequest wants the ID of one request.
func oneRequest(cmd *cobra.Command, args []string) error {
	switch name := cmd.Name(); {
	case len(args) == 0:
		return exit{exitUsage, fmt.Errorf("%s needs the request's number, such as: assent %s 7", name, name), "assent requests lists them"}
	case len(args) > 1:
		return usage("%s takes one request at a time", name)
	case strings.HasPrefix(args[0], "gr_"):
		return exit{exitUsage, fmt.Errorf("%s is a grant; see: assent grants", args[0]), "assent requests lists the requests"}
	}
	return nil
}

// fullID lets people type 7 for req_7.
func fullID(prefix, id string) string {
	if strings.HasPrefix(id, prefix) {
		return id
	}
	return prefix + id
}

// sessionMeant finds the session that a text begins: lists show no more of it.
// The sub-agents of a session are not told apart from it. where is the command
// that lists the sessions.
func sessionMeant(text string, known []string, where string) (string, error) {
	if slices.ContainsFunc(known, func(s string) bool { return assent.Within(s, text) }) {
		return text, nil
	}
	start := strings.TrimSuffix(text, "…")
	var found []string
	for _, s := range slices.Compact(slices.Sorted(slices.Values(known))) {
		if start != "" && strings.HasPrefix(s, start) && !slices.ContainsFunc(found, func(root string) bool { return assent.Within(s, root) }) {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 0:
		return "", exit{exitNotFound, fmt.Errorf("no session begins with %q", start), where}
	case 1:
		return found[0], nil
	}
	return "", exit{exitInvalid, fmt.Errorf("%q begins %d sessions; write more of it", start, len(found)), where}
}
