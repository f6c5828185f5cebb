package config

// Damage: a database that cannot be read is named once, in words for people.

import (
	"errors"

	"assent"
)

// damage is a home's database that is damaged. It keeps what the store said.
type damage struct {
	path  string
	cause error
}

func (d *damage) Error() string { return d.path + " is damaged and was left as it is" }

func (d *damage) Unwrap() error { return d.cause }

// named makes one sentence of what the store says when SQLite cannot read its
// file, and leaves everything else.
func (h Home) named(err error) error {
	var lite interface{ Code() int } // of the driver
	if errors.Is(err, assent.ErrDamaged) && errors.As(err, &lite) {
		return &damage{h.Database(), err}
	}
	return err
}
