// Command judgement measures how commands of a labelled corpus are judged.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assent"
	"assent/analyze"
	"assent/policy"
)

type row struct {
	ID, Command, Expect string
	Peers               []string
}

func judge(c assent.Case, posture assent.Decision) assent.Verdict {
	ctx := context.Background()
	f, _ := policy.Floor.Judge(ctx, c)
	b, _ := policy.BuiltIn.Judge(ctx, c)
	d, _ := policy.Default(posture).Judge(ctx, c)
	return assent.Fold(assent.Tiers{Floor: []assent.Reply{f}, BuiltIn: []assent.Reply{b}, Default: d})
}

func main() {
	dir := os.Getenv("ASSENT_CORPUS")
	if dir == "" {
		dir = "../shared/corpus"
	}
	f, err := os.Open(filepath.Join(dir, "commands.jsonl"))
	if err != nil {
		panic(err)
	}
	var rows []row
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var r row
		json.Unmarshal(s.Bytes(), &r)
		rows = append(rows, r)
	}
	out, _ := os.Create(os.Args[1])
	defer out.Close()
	p := assent.Places{Home: "/home/ada", Assent: "/home/ada/.assent"}
	type k struct{ expect, posture string }
	count, wrong := map[k]int{}, map[k]int{}
	began := time.Now()
	cases := make([]assent.Case, len(rows))
	for i, r := range rows {
		in, _ := json.Marshal(map[string]string{"command": r.Command})
		cases[i] = analyze.Case(assent.Event{ID: "x", Name: assent.PreToolCall, Agent: "a", Session: "s", Principal: "p", Dir: "/work/project", Tool: assent.ToolShell, Input: in}, p)
	}
	took := time.Since(began)
	for i, r := range rows {
		for _, posture := range []assent.Decision{assent.Ask, assent.Allow} {
			v := judge(cases[i], posture)
			name := map[assent.Decision]string{assent.Ask: "strict", assent.Allow: "guard"}[posture]
			count[k{r.Expect, name}]++
			bad := false
			switch r.Expect {
			case "hardline":
				bad = v.Decision != assent.Deny
			case "dangerous":
				bad = v.Decision == assent.Allow
			case "ask":
				bad = v.Decision == assent.Allow && posture == assent.Ask
			case "safe":
				bad = v.Decision != assent.Allow
			case "harmless":
				bad = v.Decision != assent.Allow && posture == assent.Allow
			}
			if bad {
				wrong[k{r.Expect, name}]++
				var codes []string
				for _, f := range cases[i].Findings {
					codes = append(codes, f.Code)
				}
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", name, r.Expect, strings.Join(r.Peers, ","), strings.Join(codes, ","), strings.ReplaceAll(r.Command, "\n", "⏎"))
			}
		}
	}
	for _, e := range []string{"hardline", "dangerous", "ask", "safe", "harmless"} {
		for _, q := range []string{"strict", "guard"} {
			n := k{e, q}
			fmt.Printf("%-10s %-7s %5d wrong %5d  %.2f%%\n", e, q, count[n], wrong[n], 100*float64(wrong[n])/float64(max(1, count[n])))
		}
	}
	fmt.Println(len(rows), took, float64(len(rows))/took.Seconds())
}
