package analyze

// What code in another language asks of the network, and runs as code itself.

import (
	"strings"

	"assent"
)

// more takes in calls that have to do with the network and with code.
func (o *observer) more(does effect, in invocation, first assent.Word) {
	switch does {
	case fetches:
		_, asked, _ := strings.Cut(likely(first), "?")
		if !first.Known && o.reads(in) || strings.Contains(asked, "*") {
			o.e.act("curl", said("-T"), assent.Word{Text: "$_"}, first)
			return
		}
		o.e.act("curl", first)
	case sendsTo:
		o.e.act("curl", said("-T"), assent.Word{Text: "$_"}, first)
	case connects:
		o.connected = true
		host := first
		if len(in.args) > 0 {
			if words, ok := o.p.list(in.args[0]); ok && len(words) > 0 {
				host = words[0]
			}
		}
		o.e.act("nc", host, assent.Word{Text: "$_"})
	case listens:
		o.e.unclear = true
		o.e.say("net.listen", "It waits for connections from other machines.")
	case evaluates:
		o.evaluates(in, first)
	case rebuilds:
		o.e.say("code.unknown", "It makes objects of data ("+in.name+"), which can run any code.")
	case reaches:
		o.e.say("code.unknown", "It reaches below the language, where nothing can be told ("+in.name+").")
	case queries:
		o.e.unclear = true
		o.e.act("psql", said("-c"), first)
	case kills:
		o.e.say("proc.signal", "It sends a signal to a process.")
	}
}

// evaluates takes in a call that runs a text as code.
func (o *observer) evaluates(in invocation, first assent.Word) {
	switch {
	case len(in.args) == 0 || len(in.args[0]) == 0:
	case in.args[0][0].kind == markToken && in.args[0][0].text == "{": // a block, read already
	case first.Known && !strings.Contains(" require load dofile loadfile source require_relative include include_once do runpy.run_path execfile ", " "+in.name+" "):
		o.e.codes = append(o.e.codes, first)
	case first.Known:
		o.e.unclear = true // a file, or a module
	case o.downloads(in):
		o.e.say("net.run", "It runs code that it has just downloaded.")
	default:
		o.e.say("code.unknown", "It runs a text as code that is only made when it runs.")
	}
}

// downloads reports whether an argument asks another machine for something.
func (o *observer) downloads(in invocation) bool {
	return o.argument(in, func(f function) bool { return f.does == fetches || f.does == sendsTo })
}

// reads reports whether an argument reads a file or the environment.
func (o *observer) reads(in invocation) bool {
	return o.argument(in, func(f function) bool { return f.does == readsFile || f.does == opensFile }) || strings.Contains(o.lower, "environ") || strings.Contains(o.lower, "env[") || strings.Contains(o.lower, "env{") || strings.Contains(o.lower, "process.env")
}

func (o *observer) argument(in invocation, want func(function) bool) bool {
	found := false
	for _, a := range in.args {
		o.p.inner(a).calls(func(in invocation) {
			f, ok := o.lang.function(in.name, o.lower)
			found = found || ok && want(f)
		}, func(string) {})
	}
	return found
}
