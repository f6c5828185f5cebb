package mockllm

// The model over each of its protocols, whole and streamed.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const prompt = "please\n!sh echo hi\n+sh echo ho\n!say goodbye"

const params = `{"type":"object","properties":{"command":{"type":"string"},"why":{"type":"string"}},"required":["command","why"]}`

// protocols are the two requests of one turn in each protocol: the prompt, and
// the prompt with the results of two calls.
var protocols = []struct{ name, path, head, ask, told string }{
	{
		"anthropic", "/v1/messages",
		`{"model":"m","tools":[{"name":"Bash","input_schema":` + params + `}],"messages":[`,
		`{"role":"user","content":%s}`,
		`{"role":"assistant","content":[]},{"role":"user","content":[{"type":"tool_result","content":"hi"},{"type":"tool_result","content":[{"type":"text","text":"ho"}]}]}`,
	},
	{
		"chat", "/v1/chat/completions",
		`{"model":"m","tools":[{"function":{"name":"bash","parameters":` + params + `}}],"messages":[`,
		`{"role":"user","content":%s}`,
		`{"role":"tool","content":"hi"},{"role":"tool","content":"ho"}`,
	},
	{
		"responses", "/responses",
		`{"model":"m","tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"shell","parameters":` + params + `}]}],"input":[`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}`,
		`{"type":"function_call_output","output":"hi"},{"type":"function_call_output","output":"ho"}`,
	},
	{
		"gemini", "/v1beta/models/m:generateContent",
		`{"tools":[{"functionDeclarations":[{"name":"run_shell_command","parametersJsonSchema":` + params + `}]}],"contents":[`,
		`{"role":"user","parts":[{"text":%s}]}`,
		`{"role":"user","parts":[{"functionResponse":{"response":{"output":"hi"}}},{"functionResponse":{"response":{"output":"ho"}}}]}`,
	},
}

func TestProtocols(t *testing.T) {
	t.Parallel()
	quoted, _ := json.Marshal(prompt)
	for _, p := range protocols {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%v", p.name, stream), func(t *testing.T) {
				t.Parallel()
				s := New(Options{})
				srv := httptest.NewServer(s)
				defer srv.Close()
				path, head := p.path, p.head
				if stream {
					path = strings.Replace(path, ":generateContent", ":streamGenerateContent", 1)
					head = `{"stream":true,` + head[1:]
				}
				ask := fmt.Sprintf(p.ask, quoted)
				one := post(t, srv.URL+path, head+ask+"]}", http.StatusOK)
				if !strings.Contains(one, "echo hi") || !strings.Contains(one, "echo ho") || strings.Contains(one, "goodbye") {
					t.Errorf("the first reply is not the two calls: %s", one)
				}
				two := post(t, srv.URL+path, head+ask+","+p.told+"]}", http.StatusOK)
				if !strings.Contains(two, "goodbye") || strings.Contains(two, "echo") {
					t.Errorf("the second reply is not the closing text: %s", two)
				}
				if id := s.Exchanges()[0].id(); id == "" || !strings.Contains(one, id) || strings.Contains(two, id) {
					t.Errorf("replies share a name, or have none: %s", two)
				}
				if got := s.Results(); len(got) != 2 || !strings.Contains(got[0], "hi") || !strings.Contains(got[1], "ho") {
					t.Errorf("results %q", got)
				}
			})
		}
	}
}

// id is the name that the reply must have had.
func (x Exchange) id() string { return name(x.Body) }

func post(t *testing.T, url, body string, status int) string {
	t.Helper()
	resp, err := http.Post(url, "application/json", bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		t.Fatalf("%s: %v %s", resp.Status, err, b)
	}
	return string(b)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := New(Options{Whole: true, Log: &log})
	srv := httptest.NewServer(s)
	defer srv.Close()
	post(t, srv.URL+"/v1/messages", `{"stream":true}`, http.StatusNotFound)
	post(t, srv.URL+"/v1/messages", `{`, http.StatusBadRequest)
	post(t, srv.URL+"/v1/embeddings", `{}`, http.StatusNotFound)
	if got := post(t, srv.URL+"/v1/messages", `{"messages":[{"role":"user","content":"!sh x"}]}`, http.StatusOK); !strings.Contains(got, `"mock"`) {
		t.Errorf("without tools it said %s", got)
	}
	var failed int
	for _, x := range s.Exchanges() {
		if x.Error != "" {
			failed++
		}
	}
	if failed != 3 || strings.Count(log.String(), "\n") != 4 {
		t.Errorf("%d failures noted, log:\n%s", failed, log.String())
	}
}
