package main

// What the log says of hooks is summed up over calls and over processes.

import (
	"encoding/json"
	"testing"
	"time"

	"assent"
	"assent/hook"
)

func TestWhatHooksDidIsSummedUp(t *testing.T) {
	t.Parallel()
	at := func(s int) time.Time { return time.Unix(int64(1000+s), 0).UTC() }
	p := pasts{of: map[heardOf]*past{}, tools: map[string]bool{}}
	event := func(s int, session string, h assent.Heard) {
		raw, err := json.Marshal(map[string][]assent.Heard{"hooks": {h}})
		if err != nil {
			t.Fatal(err)
		}
		p.take(assent.Record{Kind: assent.KindEvent, At: at(s), Event: assent.PreToolCall, Session: session, Tool: "shell", Data: raw})
	}
	told := func(calls, failed, dropped int, s int) {
		raw, err := json.Marshal(map[string][]hook.Stat{"stats": {{ID: "script tell", Event: assent.TurnEnd, Calls: calls, Failed: failed, Dropped: dropped, Fault: "no disk", Last: at(s), P50: assent.Duration(time.Second)}}})
		if err != nil {
			t.Fatal(err)
		}
		p.take(assent.Record{Kind: assent.KindHook, At: at(s), Data: raw})
	}
	event(1, "s1", assent.Heard{By: "script guard", Took: assent.Duration(3 * time.Millisecond), Decision: assent.Deny})
	event(2, "s1", assent.Heard{By: "script guard", Took: assent.Duration(time.Millisecond), Fault: "no disk"})
	event(3, "s1", assent.Heard{By: "script guard", Took: assent.Duration(2 * time.Millisecond), Changed: true})
	event(4, canarySession, assent.Heard{By: "script guard"})
	told(5, 0, 0, 1)
	told(7, 1, 2, 2) // the same process, a minute later
	told(3, 0, 0, 3) // another one
	for _, one := range p.of {
		one.sum()
	}
	g := p.of[heardOf{"script guard", assent.PreToolCall}]
	if g.Calls != 3 || g.Spoke != 2 || g.Failed != 1 || g.Fault != "" || !g.Last.Equal(at(3)) || time.Duration(g.P50) != 2*time.Millisecond || time.Duration(g.P95) != 3*time.Millisecond {
		t.Errorf("%+v", g)
	}
	w := p.of[heardOf{"script tell", assent.TurnEnd}]
	if w.Calls != 10 || w.Failed != 1 || w.Dropped != 2 || w.Fault != "" || !w.Last.Equal(at(3)) || time.Duration(w.P50) != time.Second {
		t.Errorf("%+v", w)
	}
	if !p.tools["shell"] || len(p.tools) != 1 {
		t.Error(p.tools)
	}
}
