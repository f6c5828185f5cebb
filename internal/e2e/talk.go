//go:build unix

package e2e

// A run of Claude Code with a host: its prompts go to the host over standard
// input and output, so hooks race a prompt that is open, as they do in a terminal.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
)

// Talk is a run whose host never answers a prompt.
type Talk struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	ended  chan Result
	errors bytes.Buffer
}

// Talk starts a run with a host and gives it one prompt.
func (a Agent) Talk(ctx context.Context, prompt string, args ...string) (*Talk, error) {
	all := append([]string{
		"--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--permission-prompt-tool", "stdio",
	}, args...)
	t := &Talk{cmd: a.command(ctx, prompt, nil), ended: make(chan Result, 1)}
	t.cmd.Args = append([]string{a.Program, "-p"}, all...)
	t.cmd.Stderr = &t.errors
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	go t.read(out)
	err = json.NewEncoder(t.in).Encode(map[string]any{
		"type": "user", "message": map[string]string{"role": "user", "content": prompt},
	})
	return t, err
}

// read passes on the result and overhears everything else.
func (t *Talk) read(out io.Reader) {
	defer close(t.ended)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var line struct {
			Type string `json:"type"`
			Result
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Type == "result" {
			t.ended <- line.Result
		}
	}
}

// End waits for the result and ends the run.
func (t *Talk) End() (Result, error) {
	r, ok := <-t.ended
	_ = t.in.Close()
	for range t.ended { // the program's output has to be read to its end
	}
	if err := t.cmd.Wait(); err != nil || !ok {
		return r, fmt.Errorf("claude: result %v, %v\n%s", ok, err, t.errors.String())
	}
	return r, nil
}
