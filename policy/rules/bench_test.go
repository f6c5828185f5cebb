package rules_test

// What rules cost: per call, at load, and on lines made to be slow.

import (
	"fmt"
	"strings"
	"testing"

	"assent/policy/rules"
)

// many is a file of 200 rules of every kind.
func many(b *testing.B) (rules.Book, []byte) {
	b.Helper()
	var text strings.Builder
	text.WriteString("rules:\n")
	for i := range 40 {
		fmt.Fprintf(&text, "- ask: {program: tool%d, args: [push, \"--force*\"]}\n- deny: {reads: \"~/.x%d/**\"}\n- allow: {program: [npm, x%d], args: [run, \"test*\", \"...\"], in: workspace}\n- ask: {host: \"*.x%d.internal\"}\n- deny: {args: [\"...\", \"*x%d\"]}\n", i, i, i, i, i)
	}
	list, err := rules.Parse("r.yaml", []byte(text.String()))
	if err != nil {
		b.Fatal(err)
	}
	return list, []byte(text.String())
}

func BenchmarkJudge(b *testing.B) {
	book, _ := many(b)
	for name, line := range map[string]string{
		"short": "git status", "ordinary": "cd web && npm run test 2>&1 | tail -20", "commands": strings.Repeat("npm run test; ", 1900), "arguments": "cat " + strings.Repeat("-a x/y ", 15000), "word": "cat " + strings.Repeat("a/", 30000), "stars": "cat " + strings.Repeat("*/", 30000),
	} {
		c := analyse(event(b, line))
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := book.Judge(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	_, raw := many(b)
	for b.Loop() {
		if _, err := rules.Parse("r.yaml", raw); err != nil {
			b.Fatal(err)
		}
	}
}
