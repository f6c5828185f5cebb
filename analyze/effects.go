package analyze

// Effects: what code in another language would do, told by the functions that
// it calls.

import (
	"slices"
	"strings"

	"assent"
	"assent/shell"
)

// effects are what code does.
type effects struct {
	texts   []assent.Word    // given to a shell
	argvs   [][]assent.Word  // programs that are started, with their arguments
	acts    []assent.Command // what it does by itself
	codes   []assent.Word    // run as code of the same language
	facts   []saying
	unclear bool // it does more than could be told
}

// saying is a fact without a place.
type saying struct{ code, note string }

func (e *effects) act(name string, args ...assent.Word) {
	e.acts = append(e.acts, act(name, "", assent.Span{}, args...))
}

func (e *effects) say(code, note string) { e.facts = append(e.facts, saying{code, note}) }

// merge takes in what a part of the code does.
func (e *effects) merge(o effects) {
	e.texts, e.argvs = append(e.texts, o.texts...), append(e.argvs, o.argvs...)
	e.acts, e.codes, e.facts = append(e.acts, o.acts...), append(e.codes, o.codes...), append(e.facts, o.facts...)
	e.unclear = e.unclear || o.unclear
}

// watchers are parts of libraries that take pictures of the screen, listen, read along
// what is typed, or read passwords and cookies.
var watchers = []string{
	"browser_cookie3", "keyring.get_password", "get_credential(", "pynput", "keyboard.on_press", "keyboard.record", "ImageGrab", "pyautogui.screenshot", "mss.mss", "VideoCapture", "sounddevice", "pyaudio", "PyAudio", "pyperclip.paste", "win32clipboard",
	"desktopCapturer", "screenshot-desktop", "node-global-key-listener", "iohook", "clipboardy.read", "keytar.getPassword",
}

// typing are parts of libraries, and requests to the system, that press keys in the
// user's name.
var typing = []string{"TIOCSTI", "0x5412", "pyautogui.typewrite", "pyautogui.write", "pyautogui.press", "pyautogui.hotkey", "keyboard.write(", "keyboard.press_and_release", "robotjs", "SendKeys", "uinput"}

// observe returns what a text in a language does.
func observe(lang *language, text string) effects {
	tokens, whole := lex(text, lang.dialect)
	e := effects{unclear: !whole}
	p := parse(lang, tokens)
	o := observer{lang: lang, lower: strings.ToLower(text), p: p, e: &e}
	p.calls(o.call, o.name)
	for i, t := range tokens {
		switch {
		case t.kind == commandToken:
			e.texts = append(e.texts, assent.Word{Text: t.text + map[bool]string{false: "$_"}[t.known], Value: t.text, Known: t.known})
		case t.kind == nameToken && (t.text == "trust_remote_code" || t.text == "allow_pickle") && i+2 < len(tokens) && tokens[i+2].text == "True":
			e.say("code.unknown", "It lets code run that comes with a model or with data.")
		}
	}
	if slices.ContainsFunc(typing, func(w string) bool { return strings.Contains(text, w) }) {
		e.say("code.steer", "It types into a terminal or a window, in the user's name.")
	}
	for _, w := range watchers {
		if strings.Contains(text, w) {
			e.say("secret.read", "It uses "+w+", with which code reads along, or reads what is kept for people alone.")
			break
		}
	}
	if *p.left <= 0 {
		e.say(shell.Limit, "There is more in the code than is looked at.")
	}
	if o.connected && (len(e.texts) > 0 || len(e.argvs) > 0) {
		e.say("net.shell", "It opens a network connection and starts a program, which may be tied together.")
	}
	return e
}

// observer takes in the calls of one text.
type observer struct {
	lang      *language
	lower     string // the text, in lower case
	p         *parsing
	e         *effects
	connected bool
}

// name takes in a name that is no call.
func (o *observer) name(name string) {
	first, _, _ := strings.Cut(name, ".")
	if has(o.lang.pure, name) || o.local(first) || strings.IndexByte(o.lang.dialect.sigils, name[0]) >= 0 && name[0] != '&' && first != "$ENV" {
		return // a variable, by its sigil
	}
	if strings.Contains(name, "ctypes") || strings.Contains(name, "__subclasses__") || strings.Contains(name, "__globals__") || strings.Contains(name, "__builtins__") {
		o.e.say("code.unknown", "It reaches below the language, where nothing can be told.")
	}
	o.e.unclear = true
}

// local reports whether a name is one that the text itself sets or declares.
func (o *observer) local(name string) bool {
	_, set := o.p.values[name]
	return set || o.p.spoilt[name] || has(o.lang.pure, name)
}

func (o *observer) call(in invocation) {
	in = o.sent(in)
	f, ok := o.lang.function(in.name, o.lower)
	if !ok || f.does == reaches && in.name == "getattr" && !in.then {
		o.unknown(in)
		return
	}
	arg := func(n int) assent.Word {
		if n < len(in.args) {
			return o.p.value(in.args[n])
		}
		return assent.Word{Text: "$_"}
	}
	method := strings.HasPrefix(in.name, "().")
	path := arg(0)
	if method && in.recv.Text != "" && f.does.ofPath() {
		path = in.recv
	}
	switch f.does {
	case runsText, runsArgs, runsEither:
		o.runs(f.does, in, arg(0))
	case removes:
		o.each(in, path, func(w assent.Word) { o.e.act("rm", said("-f"), w) })
	case removesTree:
		o.each(in, path, func(w assent.Word) { o.e.act("rm", said("-rf"), w) })
	case writesFile:
		o.e.act("tee", path)
	case readsFile, opensFile:
		o.opens(in, f.does, path, method)
	case moves, copies, links:
		o.pair(f.does, in, arg(0), arg(1), method)
	case modes, modesFirst:
		o.modes(f.does, in, path, arg, method)
	case makesDir:
		o.e.act("mkdir", path)
	default:
		o.more(f.does, in, arg(0))
	}
}

// sent is the call that Ruby's send makes: of the function that its first
// argument names.
func (o *observer) sent(in invocation) invocation {
	last := in.name[strings.LastIndexByte(in.name, '.')+1:]
	if o.lang != &ruby || last != "send" && last != "__send__" && last != "public_send" || len(in.args) == 0 {
		return in
	}
	for _, t := range in.args[0] {
		if t.kind == nameToken || t.kind == textToken {
			in.name = strings.TrimSuffix(in.name, last) + t.text
			in.args = in.args[1:]
			return in
		}
	}
	return in
}

// unknown takes in a call of which nothing is known: its name may still say
// that it deletes.
func (o *observer) unknown(in invocation) {
	last := in.name[strings.LastIndexByte(in.name, '.')+1:]
	if has(o.lang.pure, in.name) || o.lang.computing(in.name) || has(o.lang.pure, "."+last) {
		return
	}
	o.e.unclear = true
	lower := strings.ToLower(last)
	for _, verb := range []string{"delete", "drop", "destroy", "truncate", "purge", "wipe", "clear", "flush"} {
		if rest, ok := strings.CutPrefix(lower, verb); ok && len(rest) > 3 && rest != "timeout" && rest != "interval" && rest != "line" {
			o.e.say("db.drop", "It calls "+last+", which by its name deletes data.")
			return
		}
	}
}

// runs takes in a call that starts programs.
func (o *observer) runs(does effect, in invocation, first assent.Word) {
	if len(in.args) > 0 && does != runsText {
		if words, ok := o.p.list(in.args[0]); ok {
			o.e.argvs = append(o.e.argvs, words)
			return
		}
	}
	if does == runsText || does == runsEither && len(in.args) < 2 || does == runsEither && o.lang.name == "python" {
		o.e.texts = append(o.e.texts, first)
		return
	}
	words := []assent.Word{first}
	for _, a := range in.args[min(1, len(in.args)):] {
		if more, ok := o.p.list(a); ok {
			if o.lang.name == "python" { // execv(path, argv): the first is the name again
				more = more[min(1, len(more)):]
			}
			words = append(words, more...)
		} else if w := o.p.value(a); w.Known {
			words = append(words, w)
		}
	}
	o.e.argvs = append(o.e.argvs, words)
}
