package main

// A use with its record through the engine, against the bare synced commit of a row of
// the same size; and how much of it is the store's.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assent"
	"assent/analyze"
	"assent/engine"
	"assent/internal/seal"
	"assent/policy"
	"assent/store/sqlite"
)

func spending(ctx context.Context, dir string) ([]*measure, func(), error) {
	key := seal.Open(filepath.Join(dir, "spend.key"))
	store, err := sqlite.Open(ctx, filepath.Join(dir, "spend.db"), sqlite.Options{Witness: key})
	if err != nil {
		return nil, func() {}, err
	}
	end := func() { _ = store.Close() }
	s := &spender{store: store, engine: engine.New(engine.Options{
		Store: store, Floor: policy.Floor, BuiltIn: policy.BuiltIn, Boot: "boot", Home: key, Roster: anybody{},
		Analyse: func(e assent.Event) assent.Case { return analyze.Case(e, assent.Places{Home: dir}) },
	})}
	if err := s.use(ctx); err != nil {
		return nil, end, err
	}
	size, err := s.size(ctx)
	if err != nil {
		return nil, end, err
	}
	bare, shut, err := commits(ctx, filepath.Join(dir, "bare.db"), size)
	if err != nil {
		return nil, end, err
	}
	base := &measure{name: fmt.Sprintf("a bare synced commit of %d bytes", size), do: bare}
	return []*measure{base, {name: "a use with its record", do: s.use, after: base, ratio: 3}}, func() { shut(); end() }, nil
}

// spender uses a standing grant, over and over, and asks for another when it is used up.
type spender struct {
	engine *engine.Engine
	store  assent.Store
	n      int
}

// use spends one use, as assent exec has it done.
func (s *spender) use(ctx context.Context) error {
	s.n++
	u := assent.Use{Ask: true, Peer: &assent.Peer{Process: assent.Process{PID: os.Getpid(), UID: os.Getuid()}}, Event: assent.Event{
		ID: fmt.Sprint("ev_", s.n), Call: fmt.Sprint("call_", s.n), Name: assent.PreToolCall, Agent: assent.AgentBroker,
		Principal: fmt.Sprintf("uid:%d", os.Getuid()), Dir: "/", Tool: assent.ToolExec,
	}}
	var err error
	x := assent.Exec{Argv: []string{"deploy", "it"}, Umask: "0022", Program: assent.Operand{Path: "/usr/bin/deploy", SHA256: strings.Repeat("0", 64)}}
	if u.Event.Input, err = x.Input(); err != nil {
		return err
	}
	u.Event.Raw = u.Event.Input
	for {
		v, err := s.engine.Use(ctx, u)
		switch {
		case err != nil:
			return err
		case v.Decision == assent.Allow && v.Grant != "":
			return nil
		case v.Request == "":
			return fmt.Errorf("it was answered %s: %s", v.Decision, v.Tell)
		}
		if _, err := s.engine.Answer(ctx, assent.Answer{Request: v.Request, Decision: assent.Allow, Width: assent.Always, At: time.Now()}); err != nil {
			return err
		}
	}
}

// size is how large the record of the last use is, with what is kept beside it.
func (s *spender) size(ctx context.Context) (int, error) {
	head, err := s.store.Head(ctx)
	if err != nil {
		return 0, err
	}
	lines, err := s.store.Lines(ctx, head.N-1, 1)
	if err != nil || len(lines) == 0 {
		return 0, errors.Join(err, errors.New("there is no record"))
	}
	return len(lines[0].Leaf) + len(lines[0].Payload), nil
}

// anybody may answer.
type anybody struct{}

func (anybody) Identify(context.Context, assent.Proof, []byte) (assent.Identity, error) {
	return assent.Identity{Surface: "key", ID: "bench"}, nil
}

// commits returns what commits one row of so many bytes to a database of its own, in
// the same file system and with the same settings.
func commits(ctx context.Context, path string, size int) (do func(context.Context) error, shut func(), err error) {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(wal)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	var insert *sql.Stmt
	if _, err = db.ExecContext(ctx, "CREATE TABLE rows (n INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT"); err == nil {
		insert, err = db.PrepareContext(ctx, "INSERT INTO rows (body) VALUES (?)")
	}
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	body := make([]byte, size)
	do = func(ctx context.Context) error {
		t, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if _, err := t.StmtContext(ctx, insert).ExecContext(ctx, body); err != nil {
			return errors.Join(err, t.Rollback())
		}
		return t.Commit()
	}
	return do, func() { _, _ = insert.Close(), db.Close() }, nil
}
