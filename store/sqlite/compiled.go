package sqlite

// Statements of the writer that are compiled once. Compiling costs more than
// running them; a process that writes once compiles each as it runs it.

import (
	"context"
	"database/sql"
)

// statements are what the writer's connection has compiled. Only who holds the
// writer's turn touches them.
type statements struct {
	ready map[string]*sql.Stmt
	seen  map[string]int // how often a query ran that is not compiled yet
}

// learn compiles what has run twice. It needs the connection, so no transaction
// may be open. A query that cannot be compiled goes on as it is.
func (s *statements) learn(ctx context.Context, writer *sql.DB) {
	for query, n := range s.seen {
		if n < 2 {
			continue
		}
		delete(s.seen, query)
		if st, err := writer.PrepareContext(ctx, query); err == nil {
			s.ready[query] = st
		}
	}
}

func (s *statements) close() {
	for _, st := range s.ready {
		_ = st.Close() // the connection ends next
	}
}

// compiled is a transaction that uses compiled statements where there are some.
// It is what the generated queries run on.
type compiled struct {
	*sql.Tx
	known *statements
}

func (c compiled) statement(ctx context.Context, query string) *sql.Stmt {
	if st, ok := c.known.ready[query]; ok {
		return c.StmtContext(ctx, st)
	}
	c.known.seen[query]++
	return nil
}

// ExecContext runs a query without rows.
func (c compiled) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if st := c.statement(ctx, query); st != nil {
		return st.ExecContext(ctx, args...)
	}
	return c.Tx.ExecContext(ctx, query, args...)
}

// QueryContext runs a query with rows.
func (c compiled) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if st := c.statement(ctx, query); st != nil {
		return st.QueryContext(ctx, args...)
	}
	return c.Tx.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a query with one row.
func (c compiled) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if st := c.statement(ctx, query); st != nil {
		return st.QueryRowContext(ctx, args...)
	}
	return c.Tx.QueryRowContext(ctx, query, args...)
}
