package main

// Printing a long log: page by page, whole and in order.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"assent"
	"assent/store/mem"
)

func TestALongLogIsPrintedWhole(t *testing.T) {
	t.Parallel()
	store := mem.New()
	const records = 2*logPage + 7
	for i := range records {
		d := assent.Draft{Record: assent.Record{At: time.Unix(int64(i), 0), Kind: assent.KindEvent, Session: fmt.Sprint("s", i%2)}}
		if _, err := store.Append(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	for session, want := range map[string]int{"": records, "s0": logPage + 4, "s1": logPage + 3, "s2": 0} {
		var out bytes.Buffer
		a := &app{out: &out, now: time.Now}
		if err := a.printLog(t.Context(), store, session, false); (err == nil) != (want > 0) {
			t.Fatalf("session %q: %v", session, err)
		}
		if got := strings.Count(out.String(), "\n"); got != want {
			t.Errorf("session %q: %d lines, want %d", session, got, want)
		}
	}
}
