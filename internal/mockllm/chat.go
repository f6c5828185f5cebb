package mockllm

// OpenAI Chat Completions.

import "encoding/json"

func decodeChat(body []byte) (t turn, err error) {
	var in struct {
		Model         string
		Stream        bool
		StreamOptions struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		Tools []struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
		}
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t.model, t.stream, t.usage = in.Model, in.Stream, in.StreamOptions.IncludeUsage
	for _, tl := range in.Tools {
		n := tool{Name: tl.Function.Name}
		_ = json.Unmarshal(tl.Function.Parameters, &n.Schema)
		t.tools = append(t.tools, n)
	}
	for _, m := range in.Messages {
		switch m.Role {
		case "user":
			for _, p := range parts(m.Content) {
				t.user(p.Text)
			}
		case "tool":
			t.result(flat(m.Content))
		}
	}
	return t, nil
}

type chat struct{}

var chatUsage = obj{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}

func (chat) calls(r Reply) []obj {
	var calls []obj
	for i, c := range r.Calls {
		calls = append(calls, obj{
			"index": i, "id": c.ID, "type": "function",
			"function": obj{"name": c.Name, "arguments": c.argsJSON()},
		})
	}
	return calls
}

func (chat) finish(r Reply) string {
	if len(r.Calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func (e chat) whole(t turn, r Reply) any {
	msg := obj{"role": "assistant", "content": r.Text}
	if len(r.Calls) > 0 {
		msg["tool_calls"] = e.calls(r)
	}
	return obj{
		"id": "chatcmpl-" + t.id, "object": "chat.completion", "created": 1, "model": t.model, "usage": chatUsage,
		"choices": []obj{{"index": 0, "message": msg, "finish_reason": e.finish(r)}},
	}
}

func (e chat) stream(t turn, r Reply, out sse) {
	chunk := func(choices []obj, usage any) {
		out.send("", obj{
			"id": "chatcmpl-" + t.id, "object": "chat.completion.chunk", "created": 1, "model": t.model,
			"choices": choices, "usage": usage,
		})
	}
	delta := obj{"role": "assistant", "content": r.Text}
	if len(r.Calls) > 0 {
		delta["tool_calls"] = e.calls(r)
	}
	chunk([]obj{{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
	chunk([]obj{{"index": 0, "delta": obj{}, "finish_reason": e.finish(r)}}, nil)
	if t.usage {
		chunk([]obj{}, chatUsage)
	}
	out.raw("[DONE]")
}
