package shell

// What echo and printf print.

import "strings"

func echoed(args []string) value {
	end, decode := "\n", false
	for len(args) > 0 && len(args[0]) > 1 && strings.Trim(args[0], "neE") == "-" {
		if strings.Contains(args[0], "n") {
			end = ""
		}
		decode = decode || strings.Contains(args[0], "e")
		args = args[1:]
	}
	s := strings.Join(args, " ")
	switch {
	case strings.Contains(s, `\c`):
		return value{} // it ends the output, or does not
	case decode:
		s = escapes(s, true)
	case strings.Contains(s, `\`):
		return value{} // bash prints them, dash decodes them
	}
	return value{text: s + end, known: true}
}

// formatted knows formats of text, %s, %b, and %d of plain numbers.
func formatted(args []string) value {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.Contains(args[0], `\c`) {
		return value{}
	}
	format := args[0]
	args = args[1:]
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		before := len(args)
		var ok bool
		if args, ok = once(&b, format, args); !ok || b.Len() > MaxWord || before == len(args) && before > 0 {
			return value{}
		}
	}
	return value{text: b.String(), known: true}
}

// once writes a format once and returns the arguments that are left.
func once(b *strings.Builder, format string, args []string) ([]string, bool) {
	for {
		text, verb, found := strings.Cut(format, "%")
		b.WriteString(escapes(text, false))
		if !found {
			return args, true
		}
		if verb == "" {
			return nil, false
		}
		format = verb[1:]
		arg := ""
		if len(args) > 0 && verb[0] != '%' {
			arg, args = args[0], args[1:]
		}
		switch verb[0] {
		case '%':
			arg = "%"
		case 's':
		case 'b':
			if strings.Contains(arg, `\c`) {
				return nil, false
			}
			arg = escapes(arg, true)
		case 'd':
			if arg == "" || strings.Trim(arg, "0123456789") != "" || arg[0] == '0' && len(arg) > 1 {
				return nil, false
			}
		default:
			return nil, false
		}
		b.WriteString(arg)
	}
}
