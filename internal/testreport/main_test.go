package main

// What the report says of recorded runs of go test -json.

import (
	"strings"
	"testing"
)

const (
	pass = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"pass","Package":"p","Elapsed":0.1}
`
	skip = `{"Action":"output","Package":"q","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"q","Test":"TestB","Output":"    b_test.go:7: npm is missing\n"}
{"Action":"output","Package":"q","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"q","Test":"TestB","Elapsed":0}
{"Action":"pass","Package":"q","Elapsed":0.2}
`
	fail = `{"Action":"output","Package":"r","Test":"TestC","Output":"    c_test.go:9: it is 2, not 3\n"}
{"Action":"fail","Package":"r","Test":"TestC","Elapsed":0}
{"Action":"output","Package":"r","Output":"FAIL\tr\t0.1s\n"}
{"Action":"fail","Package":"r","Elapsed":0.1}
`
	dead = `{"Action":"output","Package":"d","Test":"TestD","Output":"panic: boom\n"}
{"Action":"fail","Package":"d","Elapsed":0.1}
`
	build = `{"ImportPath":"s","Action":"build-output","Output":"s.go:1: undefined: x\n"}
{"ImportPath":"s","Action":"build-fail"}
{"Action":"output","Package":"s","Output":"FAIL\ts [build failed]\n"}
{"Action":"fail","Package":"s","Elapsed":0,"FailedBuild":"s"}
`
)

func TestReport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in     string
		noskip bool
		well   bool
		says   []string
	}{
		"a pass":           {pass, true, true, []string{"ok  \tp\t0.100s", "1 passed, 0 failed, 0 skipped"}},
		"a skip":           {pass + skip, false, true, []string{"skipped: q TestB: b_test.go:7: npm is missing", "1 passed, 0 failed, 1 skipped"}},
		"a skip in CI":     {pass + skip, true, false, []string{"no test may be skipped here"}},
		"a failure":        {pass + fail, false, false, []string{"--- FAIL: r TestC", "it is 2, not 3", "1 passed, 1 failed, 0 skipped"}},
		"a broken build":   {pass + build, false, false, []string{"s.go:1: undefined: x", "packages that failed: 1"}},
		"a dead test":      {pass + dead, false, false, []string{"--- unfinished: d TestD", "panic: boom"}},
		"nothing":          {"", false, false, []string{"no test ran"}},
		"words of go's":    {"go: cannot find main module\n", false, false, []string{"go: cannot find main module", "no test ran"}},
		"only a skip":      {skip, false, false, []string{"no test ran"}},
		"a package failed": {pass + `{"Action":"fail","Package":"t","Elapsed":0}`, false, false, []string{"packages that failed: 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if well := report(strings.NewReader(c.in), &out, c.noskip); well != c.well {
				t.Errorf("well is %v:\n%s", well, &out)
			}
			for _, want := range c.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q is missing in:\n%s", want, &out)
				}
			}
		})
	}
}
