package terminal

// What assent would run itself: exactly the arguments, and all that decides what they do.

import (
	"fmt"
	"maps"
	"slices"

	"assent"
)

// executed adds a program as it would be started, from what its start is made of, and
// reports whether it is all that would run.
func (p *page) executed(x assent.Exec, c assent.Case) (all bool) {
	p.title("What would run")
	p.say(bold, "  ", "This program, by assent itself, without a shell")
	for i, arg := range x.Argv {
		p.word(fmt.Sprintf("%5d", i), assent.Word{Value: arg, Known: true})
	}
	p.operand("the program is ", x.Program)
	for _, o := range x.Files {
		p.operand("file that would run as code: ", o)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Env)) {
		p.text(plain, "  set  ", name)
		p.say(dim, "       ", "to a value of the caller's, "+Escape(x.Env[name]))
	}
	switch x.Stdin {
	case "":
		p.say(plain, "   io  ", "it reads nothing")
	case assent.OpenStdin:
		p.say(alarm, "   io  ", "it reads whatever comes, which nobody sees beforehand")
	default:
		p.say(plain, "   io  ", "it reads what it was given, "+Escape(x.Stdin))
	}
	p.field("umask", Escape(x.Umask))
	return len(c.Commands) == 1 && len(c.Commands[0].Via) == 0
}

// operand adds a file that is bound by its content.
func (p *page) operand(what string, o assent.Operand) {
	p.text(plain, "  "+what, o.Path)
	p.notes(o.Path)
	p.say(dim, "       ", "with the content sha256:"+Escape(o.SHA256))
}
