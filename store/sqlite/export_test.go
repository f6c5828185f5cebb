package sqlite

// What tests need of the inside.

import "context"

// Unsynced lets commits return before they are on the disk: for tests of orders, which
// a power cut does not change.
func (s *Store) Unsynced(ctx context.Context) error {
	_, err := s.writer.ExecContext(ctx, "PRAGMA synchronous = OFF")
	return err
}
