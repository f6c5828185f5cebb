package analyze

// Exhaustion: what fills the memory, the disk or the table of processes.

import (
	"strconv"
	"strings"

	"assent"
	"assent/programs"
)

var exhaustion = assent.Analyzer{
	Name:  "exhaustion",
	Doc:   "Says what fills the disk or the memory of the machine.",
	Codes: []string{"host.exhaust"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if note := exhausts(cmd); note != "" {
				out = append(out, assent.Finding{By: "exhaustion", Code: "host.exhaust", Note: note, Span: cmd.Span})
			}
		})
		return out
	},
}

// muchSpace is how many bytes may be asked for at once.
const muchSpace = 8 << 30

func exhausts(cmd assent.Command) string {
	switch cmd.Name {
	case "dd":
		endless, bounded, out := false, false, ""
		for _, w := range cmd.Args {
			name, val, _ := strings.Cut(w.Value, "=")
			switch name {
			case "if":
				endless = val == "/dev/zero" || val == "/dev/urandom" || val == "/dev/random"
			case "count":
				bounded = true
			case "of":
				out = val
			}
		}
		if endless && !bounded && out != "" && !harmless(out) && !strings.HasPrefix(out, "/dev/") {
			return "It writes to " + out + " without an end, until the disk is full."
		}
	case "fallocate", "truncate", "mkfile":
		for _, w := range programs.Read(cmd).Values("l length s size") {
			if size(w.Value) >= muchSpace {
				return "It takes " + w.Value + " of the disk at once."
			}
		}
	case "yes", "cat":
		if cmd.Name == "yes" || readsEndless(cmd) {
			for _, r := range cmd.Redirects {
				if writesTo(r) && !harmless(r.Target.Value) {
					return "It writes to " + r.Target.Value + " without an end, until the disk is full."
				}
			}
		}
	}
	return ""
}

func readsEndless(cmd assent.Command) bool {
	for _, w := range cmd.Args {
		if w.Value == "/dev/zero" || w.Value == "/dev/urandom" || w.Value == "/dev/random" {
			return true
		}
	}
	return false
}

// size is a number of bytes as programs write them: 10G, 512M.
func size(s string) int64 {
	n := len(strings.TrimRight(s, "KMGTPEkmgtpeiB"))
	x, err := strconv.ParseInt(strings.TrimLeft(s[:n], "+<>"), 10, 64)
	if err != nil {
		return 0
	}
	if n < len(s) {
		for range strings.IndexByte("KMGTPE", strings.ToUpper(s[n : n+1])[0]) + 1 {
			x <<= 10
		}
	}
	return x
}
