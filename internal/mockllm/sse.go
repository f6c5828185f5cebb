package mockllm

// Server-sent events, as all four protocols stream.

import (
	"encoding/json"
	"fmt"
	"net/http"
)

type sse struct{ w http.ResponseWriter }

func newSSE(w http.ResponseWriter) sse {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return sse{w}
}

// send writes one event; an empty name is left out.
func (s sse) send(name string, v any) {
	b, _ := json.Marshal(v) // made of strings and numbers here
	if name != "" {
		_, _ = fmt.Fprintf(s.w, "event: %s\n", name)
	}
	s.raw(string(b))
}

// raw writes one nameless event as it is.
func (s sse) raw(data string) {
	_, _ = fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}
