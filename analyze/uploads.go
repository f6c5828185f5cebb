package analyze

// Uploads: files and streams that leave the machine, and requests that delete
// on another one.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var uploads = assent.Analyzer{
	Name:  "uploads",
	Doc:   "Says which commands send files to another machine, or delete there.",
	Codes: []string{"net.upload", "net.delete", "secret.share"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			if asksWeb(cmd.Name) || cmd.Name == "gh" || cmd.Name == "glab" {
				r := readRequest(cmd)
				if note := r.deletes(); note != "" {
					out = append(out, assent.Finding{By: "uploads", Code: "net.delete", Target: r.target(), Note: note, Span: cmd.Span})
				}
				if name := r.keyed(); name != "" {
					out = append(out, assent.Finding{By: "uploads", Code: "secret.share", Target: r.target(), Note: "It puts " + name + " into an address or a request" + to(r.host()) + ", where logs keep it.", Span: cmd.Span})
				}
			}
			if host, ok := uploadsTo(c, cmd); ok && !loopback(host) {
				f := assent.Finding{By: "uploads", Code: "net.upload", Target: host, Note: "It sends data to another machine" + to(host) + ".", Span: cmd.Span}
				if at := target(cmd); at != "" {
					f.Target = at
				}
				out = append(out, f)
			}
		})
		return out
	},
}

func to(host string) string {
	if host == "" {
		return ""
	}
	return ", " + host
}

func uploadsTo(c assent.Case, cmd assent.Command) (string, bool) {
	switch cmd.Name {
	case "scp", "rsync":
		a := programs.Read(cmd)
		if len(a.Operands) < 2 || a.Option("--help --version -n --dry-run") {
			return "", false
		}
		return remote(a.Operands[len(a.Operands)-1])
	case "nc", "ncat", "netcat", "telnet":
		a := programs.Read(cmd)
		if a.Option("-z -h --help --version -U --unixsock -e -c --exec --sh-exec --lua-exec") {
			return "", false
		}
		return a.Word(0), fed(cmd) || len(a.Operands) > 1 && !a.Option("-l --listen")
	case "ssh":
		return target(cmd), cmd.Stage > 0 && !typed(c, cmd)
	case "socat":
		return socatSends(cmd)
	case "tar", "gtar", "bsdtar", "cpio":
		return tarSends(cmd)
	}
	if asksWeb(cmd.Name) {
		return webUpload(c, cmd)
	}
	return "", false
}

// fed reports whether a command is given a file or the output of another.
func fed(cmd assent.Command) bool {
	return cmd.Stage > 0 || slices.ContainsFunc(cmd.Redirects, func(r assent.Redirect) bool { return r.Op == "<" })
}

// typed reports whether what a command is fed stands in the call itself.
func typed(c assent.Case, cmd assent.Command) bool {
	return slices.ContainsFunc(c.Commands, func(o assent.Command) bool {
		return o.Pipe == cmd.Pipe && o.Stage == cmd.Stage-1 && (o.Name == "echo" || o.Name == "printf" || o.Stdin != nil && o.Stdin.Known)
	})
}

// socatSends holds when one end is a host and the other a file, or what it is
// fed with.
func socatSends(cmd assent.Command) (string, bool) {
	for i, w := range cmd.Args {
		a, ok := socatEnd(w.Value)
		if !ok {
			continue
		}
		for j, o := range cmd.Args {
			kind, _, _ := strings.Cut(strings.ToUpper(o.Value), ":")
			if j != i && (kind == "OPEN" || kind == "FILE" || kind == "GOPEN" || kind == "FD" || (kind == "-" || kind == "STDIO" || kind == "STDIN")) {
				return a.String(), true
			}
		}
	}
	return "", fed(cmd)
}

// tarSends holds for archives that are written to another machine.
func tarSends(cmd assent.Command) (string, bool) {
	t := readTar(cmd)
	if !t.creates {
		return "", false
	}
	for _, w := range t.files {
		if host, ok := remote(w); ok {
			return host, true
		}
	}
	return "", false
}

// senders are options whose value is a file to send, if it starts as said.
var senders = []struct{ prog, options, start string }{
	{"curl", "d data data-binary data-ascii data-urlencode json", "@"},
	{"curl", "F form", "=@"},
	{"curl", "T upload-file", ""},
	{"wget", "post-file body-file", ""},
}

func webUpload(c assent.Case, cmd assent.Command) (string, bool) {
	r := readRequest(cmd)
	found := false
	for _, s := range senders {
		if s.prog != cmd.Name {
			continue
		}
		for _, w := range r.args.Values(s.options) {
			switch s.start {
			case "=@":
				found = found || strings.Contains(w.Value, "=@") || strings.Contains(w.Value, "=<")
			default:
				typed := w.Value == "@-" && cmd.Stdin != nil && cmd.Stdin.Known
				found = found || strings.HasPrefix(w.Value, s.start) && !typed
			}
			found = found || !w.Known && readsFiles(c, cmd)
		}
	}
	if !found && (r.sends() || r.method == "POST" || r.method == "PUT") {
		found = slices.ContainsFunc(r.to, func(a address) bool { return dropBox(a.host) })
	}
	return r.host(), found
}

// dropBoxes are services to which anybody may send something for anybody.
var dropBoxes = []string{"ntfy.sh", "webhook.site", "pastebin.com", "transfer.sh", "termbin.com", "0x0.st", "file.io", "ix.io", "sprunge.us", "dpaste.com", "dpaste.org", "hastebin.com", "paste.rs", "bashupload.com", "requestbin.com", "requestbin.net", "pipedream.net", "beeceptor.com", "hookbin.com", "interact.sh", "oast.fun", "oast.pro", "oast.live", "oast.site", "oast.online", "burpcollaborator.net", "oastify.com", "requestcatcher.com", "api.telegram.org", "hooks.slack.com", "ngrok.io", "ngrok-free.app", "trycloudflare.com", "gofile.io", "temp.sh", "catbox.moe", "anonfiles.com", "wetransfer.com", "mockbin.org", "postb.in", "dnslog.cn", "canarytokens.com"}

func dropBox(host string) bool {
	return slices.ContainsFunc(dropBoxes, func(d string) bool { return host == d || strings.HasSuffix(host, "."+d) })
}

// remote reads the host of "host:path" and "rsync://host/path".
func remote(w assent.Word) (string, bool) {
	if strings.Contains(w.Value, "://") {
		a, ok := parsed(w.Value, false)
		return a.host, ok && a.host != ""
	}
	before, _, ok := strings.Cut(w.Value, ":")
	if !ok || before == "" || strings.Contains(before, "/") {
		return "", false
	}
	if i := strings.LastIndexByte(before, '@'); i >= 0 {
		before = before[i+1:]
	}
	return before, true
}
