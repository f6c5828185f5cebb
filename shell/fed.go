package shell

// Programs that make commands of words they are fed: xargs and parallel.

import (
	"slices"
	"strings"

	"assent"
)

// items are the words that xargs would read, when its input is known.
func (p *peeling) items(in input) ([]assent.Word, bool) {
	if in.kind != literal || !in.text.known {
		return nil, false
	}
	var list []string
	switch p.delim {
	case "":
		for _, f := range strings.Fields(in.text.text) {
			list = append(list, strings.Trim(f, `'"`))
		}
	default:
		list = strings.Split(strings.TrimSuffix(in.text.text, p.delim), p.delim)
	}
	if len(list) > MaxFields {
		return nil, false
	}
	out := make([]assent.Word, 0, len(list))
	for _, f := range list {
		if p.token != "" {
			f = strings.TrimLeft(f, " \t")
		}
		if f == "" && p.delim == "\n" {
			continue
		}
		out = append(out, assent.Word{Text: f, Value: f, Known: true})
	}
	return out, true
}

// fedWords starts the command that xargs appends words to; with a token, once
// for each line.
func (w *walker) fedWords(p *peeling, inner run) (run, bool) {
	words := p.rest
	if len(words) == 0 {
		words = []assent.Word{{Text: "echo", Value: "echo", Known: true}}
	}
	items, known := p.items(inner.in)
	switch {
	case !known:
		items = []assent.Word{{Text: "{}"}}
	case len(items) == 0 && p.token != "":
		inner.via = inner.via[:len(inner.via)-1]
		w.emit(inner) // it starts nothing
		return inner, false
	}
	inner.in = input{}
	if p.token == "" {
		inner.words = slices.Concat(words, items)
		return inner, true
	}
	if len(items) > maxRounds {
		items = []assent.Word{{Text: "{}"}}
	}
	for _, item := range items {
		one := inner
		one.words = nil
		for _, x := range words {
			one.words = append(one.words, placed(w.drafted(x), p.token, item))
		}
		w.start(one)
	}
	return inner, false
}

// placed puts a fed word in place of token.
func placed(x assent.Word, token string, fed assent.Word) assent.Word {
	before, _, found := strings.Cut(x.Value, token)
	switch {
	case !found:
	case fed.Known && x.Known:
		x.Value = strings.ReplaceAll(x.Value, token, fed.Value)
	default:
		x.Value, x.Known = before, false
	}
	return x
}

// template walks the commands that parallel makes of its words and of each of
// what is behind ":::" or in its input.
func (w *walker) template(p *peeling, inner run, name string, r run) {
	words, items, known := p.rest, []assent.Word(nil), false
	if i := slices.IndexFunc(words, func(x assent.Word) bool { return strings.HasPrefix(x.Value, ":::") }); i >= 0 {
		words, items = words[:i], words[i+1:]
		known = p.rest[i].Value == ":::" && !slices.ContainsFunc(items, func(x assent.Word) bool { return !x.Known || strings.HasPrefix(x.Value, ":::") })
	} else {
		p.delim = "\n"
		items, known = p.items(inner.in)
	}
	if len(words) == 0 && len(items) == 0 && inner.in.kind == inherited {
		w.said(r)
		return
	}
	if !known || len(items) > maxRounds {
		items = []assent.Word{{Text: "{}", Value: unknownDraft}}
	}
	text := w.joined(words, nil)
	inner.in = input{}
	for _, item := range items {
		w.shellText(inserted(text, item), inner, name, r)
	}
}

// inserted is a template of parallel with one word in it.
func inserted(text, item assent.Word) assent.Word {
	word := item.Value
	switch {
	case text.Value == "":
		return item
	case item.Known:
		word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	if filled := blanks(strings.ReplaceAll(text.Value, "{}", word)); filled != text.Value {
		text.Value = filled
	} else {
		text.Value += " " + word
	}
	return text
}

// blanks is a template with something that nobody knows in place of {}, {.},
// {1} and their like.
func blanks(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		if closed && !strings.HasSuffix(before, "$") && strings.Trim(name, "+-./#%_qnfs0123456789") == "" {
			b.WriteString(unknownDraft)
			text = after
			continue
		}
		b.WriteString("{")
		text = rest
	}
}
