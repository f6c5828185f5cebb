// Package mockllm is a scripted stand-in for a hosted language model, so that
// real agents can be driven in tests without a network.
//
// It speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and
// Gemini generateContent, streaming and whole. What the model "says" stands in
// the prompt (see Script), so it keeps no conversation and one Server serves any
// number of parallel tests. It never listens by itself and never calls anybody.
//
//	llm := mockllm.New(mockllm.Options{})
//	srv := httptest.NewServer(llm)
//	// run an agent against srv.URL with the prompt
//	//   please
//	//   !sh rm -rf /tmp/y
//	//   !say finished
//	for _, x := range llm.Exchanges() { fmt.Println(x.Results, x.Reply) }
package mockllm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// maxBody is the most of a request that is read.
const maxBody = 64 << 20

// Options say how a Server behaves. The zero Options are a good start.
type Options struct {
	Fallback Script        // what is said when the prompt holds no directive
	Delay    time.Duration // before each reply
	Log      io.Writer     // gets each Exchange as one line of JSON; nil: nothing
	Whole    bool          // refuse to stream, which makes agents ask for whole replies
}

// Exchange is one request for a model's reply, and the reply.
type Exchange struct {
	From    time.Time       `json:"from"`
	To      time.Time       `json:"to"`
	Path    string          `json:"path"`
	Model   string          `json:"model,omitempty"`
	Stream  bool            `json:"stream,omitempty"`
	Agent   string          `json:"agent,omitempty"`   // the User-Agent
	Tools   []string        `json:"tools,omitempty"`   // what the agent offered
	Results []string        `json:"results,omitempty"` // of the tool calls of this script so far
	Reply   Reply           `json:"reply"`
	Error   string          `json:"error,omitempty"` // why there was none
	Body    json.RawMessage `json:"body,omitempty"`
}

// Server is the model: an http.Handler. It may be called concurrently.
type Server struct {
	opt Options
	mux *http.ServeMux

	mu   sync.Mutex
	seen []Exchange
}

// New returns a Server.
func New(opt Options) *Server {
	s := &Server{opt: opt, mux: http.NewServeMux()}
	// Agents differ in whether their base address ends with the version.
	for _, p := range []string{"", "/v1"} {
		s.mux.HandleFunc("POST "+p+"/messages", s.handle(decodeAnthropic, anthropic{}))
		s.mux.HandleFunc("POST "+p+"/messages/count_tokens", fixed(`{"input_tokens":100}`))
		s.mux.HandleFunc("POST "+p+"/responses", s.handle(decodeResponses, responses{}))
		s.mux.HandleFunc("POST "+p+"/chat/completions", s.handle(decodeChat, chat{}))
		s.mux.HandleFunc("GET "+p+"/models", fixed(`{"object":"list","data":[{"id":"mock","object":"model","created":1,"owned_by":"mock"}]}`))
	}
	for _, p := range []string{"", "/v1", "/v1beta"} {
		s.mux.HandleFunc("POST "+p+"/models/{call}", s.gemini)
	}
	s.mux.HandleFunc("/", s.unknown)
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Exchanges returns what was said so far, in the order in which it was answered.
func (s *Server) Exchanges() []Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Exchange(nil), s.seen...)
}

// Results returns the results of tool calls that any agent reported so far, as
// the model saw them.
func (s *Server) Results() []string {
	var out []string
	for _, x := range s.Exchanges() {
		out = append(out, x.Results...)
	}
	return out
}

func (s *Server) note(x Exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, x)
	if s.opt.Log != nil {
		if line, err := json.Marshal(x); err == nil {
			_, _ = s.opt.Log.Write(append(line, '\n'))
		}
	}
}

// encoder writes a reply in one protocol.
type encoder interface {
	whole(turn, Reply) any
	stream(turn, Reply, sse)
}

func (s *Server) handle(decode func([]byte) (turn, error), enc encoder) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := Exchange{From: time.Now(), Path: r.URL.RequestURI(), Agent: r.UserAgent()}
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		var t turn
		if err == nil {
			t, err = decode(body)
		}
		if err != nil {
			x.Error = err.Error()
			s.note(x)
			refuse(w, http.StatusBadRequest, "invalid_request_error", err.Error())
			return
		}
		t.id = name(body)
		x.Model, x.Stream, x.Tools, x.Results, x.Body = t.model, t.stream, t.toolNames(), t.results, body
		if t.stream && s.opt.Whole {
			x.Error = "streams are refused"
			s.note(x)
			refuse(w, http.StatusNotFound, "not_found_error", x.Error)
			return
		}
		x.Reply = t.reply(s.opt.Fallback)
		time.Sleep(s.opt.Delay)
		write(w, t, x.Reply, enc)
		x.To = time.Now()
		s.note(x)
	}
}

// name is one reply's own, and the same when the same is asked again.
func name(body []byte) string {
	sum := sha256.Sum256(body)
	return "mock_" + hex.EncodeToString(sum[:8])
}

func write(w http.ResponseWriter, t turn, r Reply, enc encoder) {
	if t.stream {
		enc.stream(t, r, newSSE(w))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(enc.whole(t, r))
}

func (s *Server) gemini(w http.ResponseWriter, r *http.Request) {
	model, verb, _ := strings.Cut(r.PathValue("call"), ":")
	switch verb {
	case "countTokens":
		fixed(`{"totalTokens":100}`)(w, r)
	case "generateContent", "streamGenerateContent":
		s.handle(func(b []byte) (turn, error) {
			t, err := decodeGemini(b)
			t.model, t.stream = model, verb == "streamGenerateContent"
			return t, err
		}, gemini{})(w, r)
	default:
		s.unknown(w, r)
	}
}

func (s *Server) unknown(w http.ResponseWriter, r *http.Request) {
	s.note(Exchange{From: time.Now(), To: time.Now(), Path: r.Method + " " + r.URL.RequestURI(), Error: "no such endpoint"})
	refuse(w, http.StatusNotFound, "not_found_error", "mockllm has no such endpoint")
}

func refuse(w http.ResponseWriter, status int, kind, message string) {
	http.Error(w, fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q}}`, kind, message), status)
}

func fixed(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}
