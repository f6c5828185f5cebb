package sqlite

// Forged: the rows that somebody else wrote, by name.

import (
	"context"
	"fmt"

	"assent/store/sqlite/db"
)

// Forged names what in the store is not what assent wrote there, in sentences: rows
// without the mark that they should have, also those from before there was a key, and
// older ones that were put back. It is for audit.Reconcile. Without a witness nobody
// can tell, and there are none.
func (s *Store) Forged(ctx context.Context) (out []string, err error) {
	if s.trust.witness == nil {
		return nil, nil
	}
	err = s.look(ctx, func(t tx) error {
		for _, table := range []func(context.Context, func(string, bool)) error{t.forgedGrants, t.forgedRequests, t.forgedCalls, t.forgedHandles, t.forgedSessions} {
			err := table(ctx, func(what string, ok bool) {
				if !ok {
					out = append(out, what)
				}
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (t tx) forgedGrants(ctx context.Context, say func(string, bool)) error {
	rows, err := t.Queries.Grants(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		ok, err := t.right(row.Mark, grantBytes(row))
		if err != nil {
			return err
		}
		say("grant "+grantID(row.N)+": "+strange(row.Mark), ok)
		newest, err := t.NewestChange(ctx, row.N)
		if err != nil {
			return err
		}
		say(fmt.Sprintf("grant %s: its row is of record %d, and record %d changed it since", grantID(row.N), row.Changed, newest), !ok || newest == row.Changed)
	}
	return nil
}

func (t tx) forgedRequests(ctx context.Context, say func(string, bool)) error {
	for after := int64(0); ; {
		rows, err := t.Queries.Requests(ctx, db.RequestsParams{After: after, Most: 100})
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			ok, err := t.right(row.Mark, requestBytes(row))
			if err != nil {
				return err
			}
			say("request "+requestID(row.N)+": "+strange(row.Mark), ok)
			after = row.N
		}
	}
}

func (t tx) forgedCalls(ctx context.Context, say func(string, bool)) error {
	rows, err := t.SpentCalls(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		ok, err := t.right(row.Mark, callBytes(row))
		if err != nil {
			return err
		}
		say(fmt.Sprintf("call %q of session %q: %s", row.ID, row.Session, strange(row.Mark)), ok)
	}
	return nil
}

func (t tx) forgedHandles(ctx context.Context, say func(string, bool)) error {
	rows, err := t.Handles(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		_, ok, err := t.ours(ctx, row)
		if err != nil {
			return err
		}
		say("handle "+handleID(row.N)+": "+strange(row.Mark), ok)
	}
	return nil
}

func (t tx) forgedSessions(ctx context.Context, say func(string, bool)) error {
	rows, err := t.Queries.Sessions(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		ok, err := t.right(row.Mark, sessionBytes(row))
		if err != nil {
			return err
		}
		say(fmt.Sprintf("session %q of process %d: %s", row.ID, row.Pid, strange(row.Mark)), ok)
	}
	return nil
}

// strange says what is wrong with a row that does not have its mark.
func strange(mark []byte) string {
	if len(mark) == 0 {
		return "its row has no mark: somebody else wrote it, or it is from before this home had a key"
	}
	return "its row is not what assent wrote"
}
