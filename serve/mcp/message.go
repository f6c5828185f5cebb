package mcp

// Messages: JSON-RPC 2.0 as the protocol has it, read strictly.

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assent"
)

// The codes of JSON-RPC, and of what is too much at once.
const (
	badJSON     = -32700
	badRequest  = -32600
	badMethod   = -32601
	badParams   = -32602
	overwhelmed = -32000
)

// message is a request, or without an id a notification.
type message struct {
	id     json.RawMessage
	method string
	params map[string]json.RawMessage
}

// fault is why a request has no result.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func faulty(code int, form string, args ...any) *fault {
	return &fault{code, sentence(fmt.Sprintf(form, args...))}
}

// reply is an answer. One of Result and Error is set.
type reply struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

// notice is a notification of ours.
type notice struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
}

// parse reads one message. The id that comes with a fault is the one to answer under;
// nil: it is not known. A message without a method is an answer to what nobody asked.
func parse(raw []byte) (message, *fault) {
	canon, err := assent.Canonical(raw)
	if err != nil {
		code := badRequest
		if !json.Valid(raw) {
			code = badJSON
		}
		return message{id: loose(raw)}, faulty(code, "%v", err)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(canon, &members) != nil || members == nil {
		return message{}, faulty(badRequest, "a message is one JSON object; batches are not taken")
	}
	m := message{id: members["id"]}
	if m.id != nil && !isID(m.id) {
		return message{}, faulty(badRequest, "id: a text or a number of at most %d bytes was expected", maxID)
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return m, faulty(badRequest, `jsonrpc: "2.0" was expected`)
	}
	_, answer := members["result"]
	_, failed := members["error"]
	method, given := members["method"]
	switch {
	case !given && (answer || failed):
		return message{}, nil
	case !given, json.Unmarshal(method, &m.method) != nil, m.method == "":
		return m, faulty(badRequest, "method: a text was expected")
	}
	if p, ok := members["params"]; ok && (json.Unmarshal(p, &m.params) != nil || m.params == nil) {
		return m, faulty(badParams, "params: an object was expected")
	}
	return m, nil
}

// isID reports whether a canonical value can name a request.
func isID(v json.RawMessage) bool {
	return len(v) <= maxID && (v[0] == '"' || v[0] == '-' || v[0] >= '0' && v[0] <= '9')
}

// loose is the id of a message that cannot be read otherwise, so that whoever waits
// for an answer gets one.
func loose(raw []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(raw, &m) != nil || len(m.ID) == 0 {
		return nil
	}
	if id, err := assent.Canonical(m.ID); err == nil && isID(id) {
		return id
	}
	return nil
}

// encode writes a value as one line of JSON, without escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// write sends one message as one line.
func (c *conn) write(v any) {
	text, err := encode(v)
	c.writing.Lock()
	defer c.writing.Unlock()
	if err == nil {
		_, err = c.out.Write(text)
	}
	if err != nil {
		c.stop(fmt.Errorf("writing to the agent: %w", err))
	}
}

func (c *conn) answer(id json.RawMessage, result any, f *fault) {
	if f != nil {
		result = nil
	}
	c.write(reply{JSONRPC: "2.0", ID: id, Result: result, Error: f})
}
