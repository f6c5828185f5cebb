package main

// The judge: assent as its configuration makes it, by the way that every door
// takes.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"assent"
	"assent/config"
	"assent/engine"
)

// place is where commands are judged: a user's home, and a directory.
type place struct{ home, dir string }

// elsewhere is a project of somebody whose machine has none of its files.
var elsewhere = place{"/home/ada", "/home/ada/project"}

// defaults are the postures by name.
var defaults = map[string]assent.Decision{"strict": assent.Ask, "guard": assent.Allow, "agent": assent.None}

// answer is what a judge made of one command.
type answer struct {
	decision assent.Decision
	codes    []string
	took     time.Duration
	fault    string // why there was none: it counts as let through
}

// through reports whether the command would run without a question of the judge's.
func (a answer) through() bool { return a.decision <= assent.Allow }

// judge is assent in one posture and place.
type judge struct {
	engine *engine.Engine
	place
}

func newJudge(posture string, at place) (judge, error) {
	d, ok := defaults[posture]
	if !ok {
		return judge{}, fmt.Errorf("there is no posture %q", posture)
	}
	file := config.Zero()
	file.Default = config.Posture(d)
	known := assent.Places{Home: at.home, Assent: filepath.Join(at.home, ".assent")}
	return judge{engine.New(config.Options(file, known)), at}, nil
}

// call is the event of a command, in a directory or the judge's.
func (j judge) call(command, dir string) assent.Event {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		input = nil // text always has a JSON form
	}
	return assent.Event{
		ID: "judgement", Name: assent.PreToolCall, Agent: "claude", Session: "judgement", Principal: "uid:1000",
		Dir: cmp.Or(dir, j.dir), Tool: assent.ToolShell, Input: input,
	}
}

// ask has an event judged, and takes the time.
func (j judge) ask(ctx context.Context, ev assent.Event) answer {
	start := time.Now()
	c, v := j.engine.Check(ctx, ev)
	a := answer{decision: v.Decision, took: time.Since(start)}
	for _, f := range c.Findings {
		a.codes = append(a.codes, f.Code)
	}
	return a
}
