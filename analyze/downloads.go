package analyze

// Download, then run: code that nobody has looked at.

import (
	"path"
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var downloads = assent.Analyzer{
	Name:  "downloads",
	Doc:   "Says what runs code that was only just downloaded, decoded or made.",
	Codes: []string{"net.run", "code.unknown"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		got := gotten(c)
		each(c, func(cmd assent.Command) {
			for _, g := range got {
				if runs(c, cmd, g) {
					out = append(out, assent.Finding{By: "downloads", Code: "net.run", Target: g.to, Note: "It runs code that it has just downloaded" + from(g.to) + ".", Span: cmd.Span})
					return
				}
			}
			if note := made(c, cmd); note != "" {
				out = append(out, assent.Finding{By: "downloads", Code: "code.unknown", Note: note, Span: cmd.Span})
			}
		})
		return out
	},
}

// runners read code from their standard input or from a file.
var runners = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "python", "python2", "python3", "pypy3", "perl", "ruby", "node", "nodejs", "php", "deno", "bun", "lua", "luajit", "pwsh", "powershell", "tclsh", "osascript", "Rscript", "julia", "elixir", "groovy", "tsx", "ts-node", "source", ".", "eval"}

func isRunner(name string) bool {
	_, ok := interpreter(name)
	return ok || slices.Contains(runners, name)
}

// fetched is one download.
type fetched struct {
	cmd   assent.Command
	to    string
	files []string // where it was saved, absolute, under each of its names; none = printed
}

func from(host string) string {
	if host == "" {
		return ""
	}
	return " from " + host
}

// gotten are the downloads of a call, with the files they end in.
func gotten(c assent.Case) []fetched {
	var got []fetched
	each(c, func(cmd assent.Command) {
		switch {
		case acted(cmd):
		case slices.Contains(fetchers, cmd.Name):
			got = append(got, saved(c, cmd))
		default:
			if full, to := brought(c, cmd); full != "" {
				got = append(got, fetched{cmd: cmd, to: to, files: []string{full}})
			}
		}
	})
	if len(got) == 0 {
		return nil
	}
	each(c, func(cmd assent.Command) {
		switch cmd.Name {
		case "cp", "gcp", "mv", "ln", "install", "link", "dd", "tee", "rsync", "ditto", "unzip", "tar", "bsdtar", "7z", "gunzip", "xz", "base64", "openssl", "gpg":
			for i := range got {
				got[i].follow(c, cmd)
			}
		}
	})
	return got
}

// follow takes in where a command copies or unpacks what was downloaded.
func (g *fetched) follow(c assent.Case, cmd assent.Command) {
	mine := func(w assent.Word) bool {
		w.Value = strings.TrimPrefix(w.Value, "if=")
		full, known := where(cmd, w, c.Places)
		return known && slices.Contains(g.files, full)
	}
	reads := slices.ContainsFunc(cmd.Args, mine) || slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return r.Op == "<" && mine(r.Target) })
	if !reads {
		return
	}
	changed(cmd, func(w assent.Word, how change) {
		if full, known := where(cmd, w, c.Places); known && (how == write || how == unpack) && !harmless(full) {
			g.files = append(g.files, full)
		}
	})
}

func saved(c assent.Case, cmd assent.Command) fetched {
	g := fetched{cmd: cmd}
	last := ""
	for _, a := range addresses(cmd) {
		g.to, last = a.String(), path.Base(a.path)
	}
	keep := func(o assent.Command) {
		changed(o, func(w assent.Word, _ change) {
			if full, known := where(o, w, c.Places); known && !harmless(full) {
				g.files = append(g.files, full)
			}
		})
	}
	keep(cmd)
	for _, o := range c.Commands { // curl … | tee x
		if o.Pipe != 0 && o.Pipe == cmd.Pipe && o.Stage > cmd.Stage {
			keep(o)
		}
	}
	a := programs.Read(cmd)
	named := cmd.Name == "wget" && len(a.Values("O output-document")) == 0 || cmd.Name == "curl" && a.Option("-O --remote-name") || cmd.Name == "aria2c" || cmd.Name == "axel"
	if len(g.files) == 0 && named && last != "" && last != "/" && last != "." {
		for _, dir := range a.Values("P directory-prefix output-dir d dir") {
			last = path.Join(dir.Value, last)
		}
		full, _ := absolute(last, cmd.Dir, c.Places)
		g.files = append(g.files, full)
	}
	return g
}

// brought is what a command copies here from another machine: a file, or the
// directory of a clone. Empty when it copies nothing, or under a name of its own.
func brought(c assent.Case, cmd assent.Command) (full, from string) {
	a := programs.Read(cmd)
	ops := a.Operands
	switch cmd.Name {
	case "scp", "rsync", "gsutil", "rclone":
	case "aws", "gcloud", "kubectl", "docker", "podman", "az", "mc":
		if !slices.ContainsFunc(ops, func(w assent.Word) bool { return w.Value == "cp" }) {
			return "", ""
		}
	default:
		return "", ""
	}
	if len(ops) < 2 {
		return "", ""
	}
	src, dst := ops[len(ops)-2], ops[len(ops)-1]
	host, far := remote(src)
	if _, back := remote(dst); !far || back || !dst.Known {
		return "", ""
	}
	_, name, _ := strings.Cut(src.Value, ":")
	full, _ = absolute(dst.Value, cmd.Dir, c.Places)
	if dst.Value == "." || strings.HasSuffix(dst.Value, "/") {
		full = path.Join(full, path.Base(name))
	}
	return full, host
}

// runs reports whether cmd runs what g has downloaded.
func runs(c assent.Case, cmd assent.Command, g fetched) bool {
	if full, ok := programFile(c, cmd); ok && slices.Contains(g.files, full) {
		return true
	}
	if !isRunner(cmd.Name) {
		return false
	}
	if givenFile(c, cmd, g.files) {
		return true
	}
	if g.cmd.Pipe != 0 && g.cmd.Pipe == cmd.Pipe && g.cmd.Stage < cmd.Stage {
		return readsInput(cmd)
	}
	return (encloses(cmd, g.cmd) || within(c, cmd)) && (slices.ContainsFunc(cmd.Args, unknown) || fedUnknown(cmd))
}

// within is for a runner that is fed by a descriptor of another process.
func within(c assent.Case, cmd assent.Command) bool {
	return slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return r.Op == "<&" && !r.Target.Known })
}

// programFile is the file that is started as a program by its path.
func programFile(c assent.Case, cmd assent.Command) (string, bool) {
	if !cmd.Program.Known || !strings.Contains(cmd.Program.Value, "/") {
		return "", false
	}
	return absolute(cmd.Program.Value, cmd.Dir, c.Places)
}

// givenFile reports whether a runner is given one of the files as code.
func givenFile(c assent.Case, cmd assent.Command, files []string) bool {
	for _, w := range cmd.Args {
		if full, known := where(cmd, w, c.Places); known && slices.Contains(files, full) {
			return true
		}
	}
	return slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool {
		full, known := where(cmd, r.Target, c.Places)
		return r.Op == "<" && known && slices.Contains(files, full)
	})
}

func unknown(w assent.Word) bool { return !w.Known }

func fedUnknown(cmd assent.Command) bool {
	if cmd.Stdin != nil {
		return !cmd.Stdin.Known
	}
	return slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return (r.Op == "<" || r.Op == "<&") && !r.Target.Known })
}

// readsInput reports whether an interpreter takes its code from its standard
// input: it is given no code and no file.
func readsInput(cmd assent.Command) bool {
	a := programs.Read(cmd)
	if a.Option("-c -e --eval -m") && !a.Option("-s") {
		return false
	}
	return len(a.Operands) == 0 || a.Word(0) == "-" || a.Word(0) == "run" && a.Word(1) == "-" || a.Word(0) == "/dev/stdin" || a.Option("-s")
}

// encloses reports whether inner stands inside outer's text: a substitution.
func encloses(outer, inner assent.Command) bool {
	return outer.Span.From <= inner.Span.From && inner.Span.To <= outer.Span.To
}
