package shell

// Shells of another syntax: what they are given is said and not read, but for
// the programs that can be told at a glance.

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"

	"assent"
)

// other is a shell of another syntax.
type other struct {
	name    string
	code    string // options whose value is code, with their dashes, lower case
	encoded string // options whose value is code in base64
	file    string // options whose value is a file of code
	value   string // options with another value
	rest    bool   // the code goes on to the last argument
	windows bool   // a backslash stands for itself
}

var others = []other{
	{name: "fish", code: "-c --command -C --init-command", value: "-d --debug -o --debug-output -f --features --profile"},
	{name: "csh tcsh", code: "-c"},
	{name: "nu", code: "-c --commands -e --execute", value: "--config --env-config --log-level"},
	{name: "xonsh elvish ion murex rc es", code: "-c", value: "--rc"},
	{name: "ysh oil", code: "-c"},
	{name: "pwsh powershell", code: "-command -c /command /c -commandwithargs -cwa", encoded: "-encodedcommand -enc -e -ec -en -enco -encod -encode -encoded /enc /e", file: "-file -f", value: "-executionpolicy -ep -ex -exec -inputformat -outputformat -windowstyle -w -workingdirectory -wd -configurationname -version -v -psconsolefile -settingsfile", rest: true, windows: true},
	{name: "cmd", code: "/c /k /r //c //k", rest: true, windows: true},
}

func foreignShell(name string) *other {
	name = strings.ToLower(name)
	for i := range others {
		if has(others[i].name, name) {
			return &others[i]
		}
	}
	return nil
}

// asking are options with which no code runs.
var asking = []string{"--version", "-v", "--help", "-h", "-?", "/?"}

func (w *walker) foreign(name string, o *other, r run) {
	w.emit(r)
	args := r.words[1:]
	r.words = nil // said
	if len(args) == 1 && args[0].Known && slices.Contains(asking, strings.ToLower(args[0].Value)) {
		return
	}
	codes, file := o.read(args)
	switch {
	case len(codes) > 0:
	case file != nil && file.Known:
		w.find(File, "It gives %s the file %s to run, which is not in the syntax of sh.", name, file.Value)
		return
	case r.in.kind == inherited && file == nil:
		return // it waits for somebody to type
	case r.in.kind == literal:
		codes = []assent.Word{{Value: r.in.text.text, Known: r.in.text.known}}
	}
	w.find(Other, "It gives code to %s, whose syntax is not that of sh: it was only looked through for programs.", name)
	for _, c := range codes {
		w.glance(name, o, w.drafted(c), r)
	}
}

// read returns the code and the file in a foreign shell's arguments.
func (o *other) read(args []assent.Word) (codes []assent.Word, file *assent.Word) {
	for i := 0; i < len(args); i++ {
		v := args[i].Value
		name, val, given := strings.Cut(v, "=")
		name = strings.ToLower(name)
		if !o.windows {
			name, val, given = cluster(v, o.code)
		}
		switch {
		case has(o.code, name) && given:
			codes = append(codes, assent.Word{Text: args[i].Text, Value: val, Known: args[i].Known})
		case has(o.code, name) && o.rest:
			return append(codes, rest(args[i+1:])...), nil
		case has(o.code, name) && i+1 < len(args):
			i++
			codes = append(codes, args[i])
		case has(o.encoded, name) && i+1 < len(args):
			i++
			codes = append(codes, unencoded(args[i]))
		case has(o.file, name) && i+1 < len(args):
			return codes, &args[i+1]
		case has(o.value, name):
			i++
		case v == "" || v[0] != '-' && v[0] != '/' || !args[i].Known:
			if o.name == "cmd" || o.windows && !strings.HasSuffix(strings.ToLower(v), ".ps1") {
				return append(codes, rest(args[i:])...), nil
			}
			return codes, &args[i]
		}
	}
	return codes, nil
}

// cluster splits an option into its name and the value that is given with it.
func cluster(v, code string) (name, val string, given bool) {
	if strings.HasPrefix(v, "--") {
		name, val, given = strings.Cut(v, "=")
		for _, full := range strings.Fields(code) {
			if len(name) > 4 && strings.HasPrefix(full, name) {
				name = full // shortened
			}
		}
		return name, val, given
	}
	for i := 1; i < len(v) && v[0] == '-'; i++ {
		if letter := "-" + v[i:i+1]; has(code, letter) {
			return letter, v[i+1:], i+1 < len(v)
		}
	}
	return v, "", false
}

func rest(args []assent.Word) []assent.Word {
	if len(args) == 0 {
		return nil
	}
	text := assent.Word{Known: true}
	for i, a := range args {
		if i > 0 {
			text.Value += " "
		}
		text.Value, text.Known = text.Value+a.Value, text.Known && a.Known
	}
	return []assent.Word{text}
}

// unencoded is the text that PowerShell is given in base64 of UTF-16.
func unencoded(x assent.Word) assent.Word {
	raw, err := base64.StdEncoding.DecodeString(x.Value)
	if err != nil || !x.Known || len(raw)%2 != 0 {
		return assent.Word{}
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return assent.Word{Value: string(utf16.Decode(units)), Known: true}
}

// glance reads code as if it were in the syntax of sh, to see the programs that
// any shell would start. What it cannot make sense of is left to the finding
// that there is.
func (w *walker) glance(name string, o *other, text assent.Word, r run) {
	if o.windows {
		text.Value = strings.ReplaceAll(text.Value, `\`, `\\`)
	}
	findings := w.out.Findings
	w.child(name, text.Value, nil, r)
	kept := w.out.Findings[len(findings):]
	w.out.Findings = findings
	for _, f := range kept {
		if f.Code != Unknown && f.Code != File {
			w.out.Findings = append(w.out.Findings, f)
		}
	}
}
