package shell

// Drafts: the code of texts that are only partly known, with a variable nobody
// knows in place of what is not.

import (
	"strings"

	"assent"
)

// unknownDraft stands in a draft for what is not known.
const unknownDraft = "${_}"

// drafted is a word that is code, with its draft as the value when it is not
// known.
func (w *walker) drafted(x assent.Word) assent.Word {
	if x.Known {
		return x
	}
	if d, ok := w.drafts[x.Text]; ok && x.Text != "" {
		x.Value = d
	} else if x.Value != "" && !strings.HasSuffix(x.Value, unknownDraft) {
		x.Value += unknownDraft
	}
	return x
}

// empty reports whether a text or a draft has nothing that runs.
func empty(text string) bool {
	return strings.TrimSpace(strings.ReplaceAll(text, unknownDraft, "")) == ""
}

// note keeps the draft of a word that may be code.
func (w *walker) note(text string, draft []byte) {
	if text == "" || len(draft) > MaxWord || !strings.ContainsAny(string(draft), " \t\n;&|") {
		return
	}
	if w.drafts == nil {
		w.drafts = map[string]string{}
	}
	w.drafts[text] = string(draft)
}

// joined is the text of words with blanks between them; a code says what of it
// is code.
func (w *walker) joined(words []assent.Word, find code) assent.Word {
	var b strings.Builder
	known := true
	for i, x := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		known = known && x.Known
		if x = w.drafted(x); x.Value == "" && !x.Known {
			x.Value = unknownDraft
		}
		b.WriteString(x.Value)
	}
	text := b.String()
	if find != nil {
		text, _ = find("*", text)
	}
	return assent.Word{Text: text, Value: text, Known: known}
}
