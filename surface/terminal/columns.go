package terminal

// Columns: how wide a character is on a terminal.

import "unicode"

// wide are the characters that take two columns (East Asian wide and emoji).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115F, 1}, {0x231A, 0x231B, 1}, {0x23E9, 0x23EC, 1}, {0x25FD, 0x25FE, 1}, {0x2614, 0x2615, 1},
		{0x2648, 0x2653, 1}, {0x26AA, 0x26AB, 1}, {0x26BD, 0x26BE, 1}, {0x26C4, 0x26C5, 1}, {0x26D4, 0x26D4, 1},
		{0x26EA, 0x26EA, 1}, {0x26F2, 0x26F5, 1}, {0x26FA, 0x26FD, 1}, {0x2705, 0x2705, 1}, {0x270A, 0x270B, 1},
		{0x2728, 0x2728, 1}, {0x274C, 0x274E, 1}, {0x2753, 0x2757, 1}, {0x2795, 0x2797, 1}, {0x2B1B, 0x2B1C, 1},
		{0x2B50, 0x2B55, 1}, {0x2E80, 0x303E, 1}, {0x3041, 0x4DBF, 1}, {0x4E00, 0xA4CF, 1}, {0xA960, 0xA97F, 1},
		{0xAC00, 0xD7A3, 1}, {0xF900, 0xFAFF, 1}, {0xFE30, 0xFE6F, 1}, {0xFF01, 0xFF60, 1}, {0xFFE0, 0xFFE6, 1},
	},
	R32: []unicode.Range32{{0x16FE0, 0x1B2FB, 1}, {0x1F004, 0x1FAFF, 1}, {0x20000, 0x3FFFD, 1}},
}

// columns returns how many columns a visible character takes: 0, 1 or 2.
func columns(c rune) int {
	switch {
	case c < 0x300:
		return 1
	case unicode.In(c, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, c):
		return 2
	}
	return 1
}

// width is how many columns the tokens take together.
func width(ts []token) int {
	n := 0
	for _, t := range ts {
		n += t.cols
	}
	return n
}
