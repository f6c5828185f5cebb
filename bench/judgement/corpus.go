package main

// The labelled commands, read in place.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// row is one labelled command.
type row struct {
	ID      string   `json:"id"`
	Command string   `json:"command"`
	Expect  string   `json:"expect"`
	Peers   []string `json:"peers"` // whose label it is
}

// rows are the commands that were asked for.
func (o options) rows() ([]row, error) {
	rows, err := load(o.corpus, "commands.jsonl")
	rows = slices.DeleteFunc(rows, func(r row) bool { return slices.Contains(r.Peers, o.without) })
	return spread(rows, o.sample), err
}

// load reads a file of the corpus.
func load(dir, name string) ([]row, error) { return lines[row](filepath.Join(dir, name)) }

// lines reads a file with one JSON object a line.
func lines[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the labelled commands are not there: %w", err)
	}
	defer f.Close()
	var all []T
	for d := json.NewDecoder(f); d.More(); {
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("%s, object %d: %w", path, len(all)+1, err)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return all, nil
}

// spread returns n of the rows, evenly spread over all; all of them where n is 0
// or too large. The same n always means the same rows.
func spread(rows []row, n int) []row {
	if n <= 0 || n >= len(rows) {
		return rows
	}
	out := make([]row, n)
	for i := range out {
		out[i] = rows[i*len(rows)/n]
	}
	return out
}
