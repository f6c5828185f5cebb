package claude

// White space and comments between the values of a settings file.

// comma is the offset of the comma that follows at, or -1 when a bracket or the
// end comes first.
func comma(text []byte, at int) int {
	for at < len(text) {
		next := skipComment(text, at)
		switch {
		case next > at:
			at = next
		case text[at] == ',':
			return at
		case text[at] == ' ', text[at] == '\t', text[at] == '\r', text[at] == '\n':
			at++
		default:
			return -1
		}
	}
	return -1
}

// lineBreak is the offset of the first line break that is not inside a block
// comment, or -1.
func lineBreak(extra []byte) int {
	for at := 0; at < len(extra); {
		if extra[at] == '\n' {
			return at
		}
		if next := skipComment(extra, at); next > at {
			at = next
		} else {
			at++
		}
	}
	return -1
}

// skipComment is the offset after the comment that begins at; at itself if none
// does. The line break that ends a line comment is not part of it.
func skipComment(text []byte, at int) int {
	if at+1 >= len(text) || text[at] != '/' {
		return at
	}
	switch text[at+1] {
	case '/':
		for at < len(text) && text[at] != '\n' {
			at++
		}
	case '*':
		for at += 2; at+1 < len(text) && (text[at] != '*' || text[at+1] != '/'); {
			at++
		}
		at = min(at+2, len(text))
	}
	return at
}
