package policy_test

// What judging costs.

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"assent"
	"assent/analyze"
	"assent/policy"
)

func bench(b *testing.B, text string) {
	b.Helper()
	e := event("")
	e.Input, _ = json.Marshal(map[string]string{"command": text})
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		c := analyze.Case(e, places)
		for _, h := range []assent.Hook{policy.Floor, policy.BuiltIn} {
			if _, err := h.Judge(ctx, c); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkCaseShort(b *testing.B)    { bench(b, "git status") }
func BenchmarkCaseOrdinary(b *testing.B) { bench(b, `cd web && npm test 2>&1 | tail -20`) }
func BenchmarkCaseDanger(b *testing.B)   { bench(b, `sudo sh -c 'rm -rf "$HOME"/*'`) }
func BenchmarkCaseCommit(b *testing.B) {
	bench(b, "git add -A && git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nBody of the message.\nEOF\n)\" && git push")
}
func BenchmarkCasePadded(b *testing.B) { bench(b, strings.Repeat("true;", 25000)+"rm -rf /") }
func BenchmarkCaseWord(b *testing.B)   { bench(b, "echo "+strings.Repeat("x", 500_000)) }
func BenchmarkCaseNested(b *testing.B) { bench(b, strings.Repeat("(", 5000)+"rm -rf /") }
