package terminal

// Notes: what a person should be told about the letters of a word that looks
// like another word.

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The pairs of twins: each foreign character, and the plain one it looks like.
const (
	twinLetters = "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwвbкkмmнhтtгrӏl" + "АAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅS" +
		"αaοoνvρpιiκkυuτtγyχxωw" + "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX" + "օoսuհhոnցg" + "ɑaɡgıiⅼlⅰiⅴvⅹxⅽcⅾdⅿm"
	twinSigns = "∕/⁄/⧸/․.。.‐-‑-‒-–-—-−-⁃-‘'’'ʼ'“\"”\"‚,;;∣|ǃ!∗*＊*∶:꞉:ꓸ.∼~˜~‹<›>"
)

// notes returns what to tell about s, a sentence each, with the word spelled out
// in code points; nil when there is nothing to tell.
func notes(s string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(s, func(c rune) bool { return c == '/' || unicode.IsSpace(c) }) {
		if why := suspicion(word); why != "" {
			all = append(all, why+": "+spelled(word))
		}
	}
	return all
}

func suspicion(word string) string {
	found := scripts(word)
	switch {
	case strings.ContainsFunc(word, compat):
		return "letters of another form that pass for plain ones"
	case mixed(found):
		return "mixed scripts, " + strings.Join(found, " and ")
	case strings.ContainsFunc(word, func(c rune) bool { return strings.ContainsRune(twinSigns, c) && c >= utf8.RuneSelf }):
		return "a sign that passes for a plain one"
	case allTwins(word):
		return fmt.Sprintf("%s letters that pass for Latin ones", strings.Join(found, " and "))
	case strings.ContainsFunc(word, rightToLeft):
		return "right-to-left letters, the order on the screen may differ; in order"
	}
	return ""
}

// compat reports whether c is a styled or full-width form of a plain character.
func compat(c rune) bool {
	return c >= 0xFF01 && c <= 0xFF5E || c >= 0x1D400 && c <= 0x1D7FF || c >= 0x2460 && c <= 0x24FF || c >= 0x1F100 && c <= 0x1F189
}

func rightToLeft(c rune) bool {
	return c >= 0x0590 && c <= 0x08FF || c >= 0xFB1D && c <= 0xFEFC || c >= 0x10800 && c <= 0x10FFF || c >= 0x1E800 && c <= 0x1EFFF
}

// allTwins reports whether the word has letters and each of them is foreign and
// looks Latin.
func allTwins(word string) bool {
	n := 0
	for _, c := range word {
		if !unicode.IsLetter(c) {
			continue
		}
		if c < utf8.RuneSelf || !strings.ContainsRune(twinLetters, c) {
			return false
		}
		n++
	}
	return n > 0
}

// scripts names the scripts of the word's letters, sorted.
func scripts(word string) []string {
	var found []string
	for _, c := range word {
		if !unicode.IsLetter(c) {
			continue
		}
		name := script(c)
		if name != "Common" && name != "Inherited" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

func script(c rune) string {
	if c < utf8.RuneSelf {
		return "Latin"
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, c) {
			return name
		}
	}
	return "Common"
}

// together are the scripts that one language writes in one word, Latin added.
var together = [][]string{
	{"Han", "Hiragana", "Katakana", "Latin"},
	{"Bopomofo", "Han", "Latin"},
	{"Han", "Hangul", "Latin"},
}

func mixed(found []string) bool {
	if len(found) < 2 {
		return false
	}
	return !slices.ContainsFunc(together, func(set []string) bool {
		return !slices.ContainsFunc(found, func(s string) bool { return !slices.Contains(set, s) })
	})
}

// spelled writes out every character of s that is not plain ASCII.
func spelled(s string) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c < utf8.RuneSelf && visible(c):
			b.WriteRune(c)
		case c == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			b.WriteString(written(fmt.Sprintf("0x%02X", s[i])).text)
		default:
			b.WriteString(writtenRune(c).text)
		}
	}
	return b.String()
}
