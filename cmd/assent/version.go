package main

// assent version.

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the linker for releases.
var version = "dev"

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	v := map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v["revision"] = s.Value
			}
		}
	}
	if a.json {
		return a.printJSON(v)
	}
	words := []string{"assent", v["version"], v["revision"], v["os"] + "/" + v["arch"], v["go"]}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	fmt.Fprintln(a.out, strings.Join(words, " "))
	return nil
}
