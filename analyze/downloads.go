package analyze

// Download, then run.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var downloads = assent.Analyzer{
	Name:  "downloads",
	Doc:   "Says what runs code that was only just downloaded.",
	Codes: []string{"net.run"},
	Run: func(c assent.Case) []assent.Finding {
		var got []fetched
		each(c, func(cmd assent.Command) {
			if slices.Contains(fetchers, cmd.Name) {
				got = append(got, saved(c, cmd))
			}
		})
		if len(got) == 0 {
			return nil
		}
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			for _, g := range got {
				if runs(c, cmd, g) {
					out = append(out, assent.Finding{By: "downloads", Code: "net.run", Target: g.host, Note: "It runs code that it has just downloaded" + from(g.host) + ".", Span: cmd.Span})
					return
				}
			}
		})
		return out
	},
}

var fetchers = []string{"curl", "wget", "aria2c", "fetch", "http", "https", "xh", "lwp-request", "lynx", "ftp", "axel"}

// runners read code from their standard input or from a file.
var runners = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "python", "python2", "python3", "perl", "ruby", "node", "php", "deno", "bun", "lua", "pwsh", "powershell", "tclsh", "osascript", "Rscript", "source", ".", "eval"}

// fetched is one download.
type fetched struct {
	cmd  assent.Command
	host string
	file string // where it was saved, absolute; empty = printed
}

func from(host string) string {
	if host == "" {
		return ""
	}
	return " from " + host
}

func saved(c assent.Case, cmd assent.Command) fetched {
	g := fetched{cmd: cmd}
	a := programs.Read(cmd)
	last := ""
	for _, w := range a.Operands {
		if h, p, ok := url(w); ok {
			g.host, last = h, path.Base(p)
		}
	}
	changed(cmd, func(w assent.Word, _ change) {
		if full, known := where(cmd, w, c.Places); known && !harmless(full) {
			g.file = full
		}
	})
	for _, o := range c.Commands { // curl … | tee x
		if o.Pipe != 0 && o.Pipe == cmd.Pipe && o.Stage > cmd.Stage {
			changed(o, func(w assent.Word, _ change) {
				if full, known := where(o, w, c.Places); known && !harmless(full) {
					g.file = full
				}
			})
		}
	}
	named := cmd.Name == "wget" && len(a.Values("O output-document")) == 0 || cmd.Name == "curl" && a.Option("-O --remote-name") || cmd.Name == "aria2c"
	if g.file == "" && named && last != "" && last != "/" && last != "." {
		g.file, _ = absolute(last, cmd.Dir, c.Places)
	}
	return g
}

// url splits a word that names something on the network into host and path.
func url(w assent.Word) (host, file string, ok bool) {
	v := w.Value
	_, rest, ok := strings.Cut(v, "://")
	if !ok {
		rest = v
		if !strings.ContainsAny(v, ".:") || strings.HasPrefix(v, ".") || strings.HasPrefix(v, "/") {
			return "", "", false
		}
	}
	host, file, _ = strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if strings.HasPrefix(host, "[") {
		host, _, _ = strings.Cut(host[1:], "]")
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	file, _, _ = strings.Cut(file, "?")
	return strings.ToLower(strings.TrimSuffix(host, ".")), "/" + file, host != ""
}

// runs reports whether cmd runs what g has downloaded.
func runs(c assent.Case, cmd assent.Command, g fetched) bool {
	if g.file != "" && cmd.Program.Known {
		if full, known := absolute(cmd.Program.Value, cmd.Dir, c.Places); known && strings.Contains(cmd.Program.Value, "/") && full == g.file {
			return true
		}
	}
	if !slices.Contains(runners, cmd.Name) {
		return false
	}
	for _, w := range cmd.Args {
		if full, known := where(cmd, w, c.Places); known && g.file != "" && full == g.file {
			return true
		}
	}
	for _, r := range cmd.Redirects {
		if full, known := where(cmd, r.Target, c.Places); r.Op == "<" && known && full == g.file && g.file != "" {
			return true
		}
	}
	if g.cmd.Pipe != 0 && g.cmd.Pipe == cmd.Pipe && g.cmd.Stage < cmd.Stage {
		return readsInput(cmd)
	}
	return encloses(cmd, g.cmd) && slices.ContainsFunc(cmd.Args, unknown) || encloses(cmd, g.cmd) && fedUnknown(cmd)
}

func unknown(w assent.Word) bool { return !w.Known }

func fedUnknown(cmd assent.Command) bool {
	if cmd.Stdin != nil {
		return !cmd.Stdin.Known
	}
	return slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return r.Op == "<" && !r.Target.Known })
}

// readsInput reports whether an interpreter takes its code from its standard
// input: it is given no code and no file.
func readsInput(cmd assent.Command) bool {
	a := programs.Read(cmd)
	if a.Option("-c -e --eval -m") {
		return false
	}
	return len(a.Operands) == 0 || a.Word(0) == "-" || a.Word(0) == "/dev/stdin" || a.Option("-s")
}

// encloses reports whether inner stands inside outer's text: a substitution.
func encloses(outer, inner assent.Command) bool {
	return outer.Span.From <= inner.Span.From && inner.Span.To <= outer.Span.To
}
