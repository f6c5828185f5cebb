// Command judgement measures how commands are judged that others have labelled:
// what is right and wrong in each posture, how fast, and what a peer makes of the
// same commands.
//
//	go run ./bench/judgement                         right and wrong, speed, giants, padding
//	go run ./bench/judgement -wrong wrong.jsonl      also writes what came out wrong
//	go run ./bench/judgement -cases reports.jsonl    what users reported, and whether it comes out right
//	go run ./bench/judgement -peer 'assent hook claude --event PreToolUse' -sample 1000
//	go run ./bench/judgement -check                  fails where a target is missed
//
// The corpus is read in place: -corpus, $ASSENT_CORPUS, or ../shared/corpus. It
// holds commands.jsonl ({"id","command","expect","peers"}) and giants.jsonl. A
// peer is any program that answers Claude Code's PreToolUse hook.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
)

// options are what the command line says.
type options struct {
	corpus, wrong, postures, profile, cases string
	peer, without                           string
	check                                   bool
	sample, parallel, runs                  int
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", cmp.Or(os.Getenv("ASSENT_CORPUS"), "../shared/corpus"), "folder of the labelled commands")
	flag.StringVar(&o.wrong, "wrong", "", "file to write what came out wrong to, a JSON object a line")
	flag.StringVar(&o.postures, "postures", "strict,guard", "postures to judge in: strict, guard, agent")
	flag.StringVar(&o.profile, "cpuprofile", "", "file to write a profile of the judging to")
	flag.StringVar(&o.cases, "cases", "", "file of reports: judge those of the kind classify, and nothing else")
	flag.StringVar(&o.peer, "peer", "", "command of a program that answers Claude Code's PreToolUse hook: judge by it, and nothing else")
	flag.StringVar(&o.without, "without", "", "leave out the commands that this project labelled, such as a peer's own")
	flag.IntVar(&o.sample, "sample", 0, "commands to judge, spread over the corpus; 0 = all")
	flag.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "processes of the peer at once")
	flag.IntVar(&o.runs, "runs", 50, "runs of assent check as a process")
	flag.BoolVar(&o.check, "check", false, "fail where a target is missed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "judgement:", err)
		os.Exit(1)
	}
}

// run measures what was asked for.
func run(ctx context.Context, out io.Writer, o options) error {
	var faults []error
	var err error
	switch {
	case o.cases != "":
		faults, err = judgeCases(ctx, out, o.cases)
	case o.peer != "":
		err = judgePeer(ctx, out, o)
	default:
		faults, err = judgeAll(ctx, out, o)
	}
	if err != nil {
		return err
	}
	if missed := errors.Join(faults...); missed != nil {
		fmt.Fprintf(out, "\nmissed:\n  %s\n", strings.ReplaceAll(missed.Error(), "\n", "\n  "))
		if o.check {
			return fmt.Errorf("%d targets are missed", len(faults))
		}
	}
	return nil
}

// judgeAll measures assent itself, on one core.
func judgeAll(ctx context.Context, out io.Writer, o options) (faults []error, err error) {
	runtime.GOMAXPROCS(1)
	rows, err := o.rows()
	if err != nil {
		return nil, err
	}
	graded, err := gradeAll(ctx, rows, elsewhere, o)
	if err != nil {
		return nil, err
	}
	graded.print(out)
	faults = append(faults, graded.missed()...)
	if err := graded.write(o.wrong); err != nil {
		return nil, err
	}
	fast, err := measure(ctx, rows, o.profile)
	if err != nil {
		return nil, err
	}
	fast.print(out)
	faults = append(faults, fast.missed()...)
	big, err := load(o.corpus, "giants.jsonl")
	if err != nil {
		return nil, err
	}
	faults = append(faults, giants(ctx, out, big)...)
	faults = append(faults, padding(ctx, out)...)
	slow, err := process(ctx, out, o.runs)
	return append(faults, slow...), err
}
