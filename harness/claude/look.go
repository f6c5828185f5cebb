package claude

// Look: a change of a settings file names the file only. What it now says is
// what matters, so it is read, and the event notes whether the gate stays closed.

import (
	"encoding/json"
	"errors"
	"io/fs"

	"assent"
)

// look notes in Extra["unwired"] whether the settings file that a ConfigChange
// names loosens the gate. A file that is there but cannot be read does.
func look(e assent.Event, read func(path string) ([]byte, error)) assent.Event {
	var in struct{ Source, Path string }
	if e.Name != assent.ConfigChange || json.Unmarshal(e.Input, &in) != nil {
		return e
	}
	var text []byte
	err := error(fs.ErrNotExist)
	if in.Path != "" {
		text, err = read(in.Path)
	}
	loose := err != nil && !errors.Is(err, fs.ErrNotExist) || Unwired(in.Source, text)
	extra := map[string]json.RawMessage{}
	for k, v := range e.Extra {
		extra[k] = v
	}
	extra[ExtraUnwired] = json.RawMessage("false")
	if loose {
		extra[ExtraUnwired] = json.RawMessage("true")
	}
	e.Extra = extra
	return e
}
