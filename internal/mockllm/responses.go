package mockllm

// OpenAI Responses.

import (
	"encoding/json"
	"maps"
	"strings"
)

type responsesTool struct {
	Type, Name string
	Parameters json.RawMessage
	Tools      []responsesTool // of a namespace
}

func decodeResponses(body []byte) (t turn, err error) {
	var in struct {
		Model  string
		Stream bool
		Tools  []responsesTool
		Input  json.RawMessage
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t.model, t.stream = in.Model, in.Stream
	t.offer("", in.Tools)
	var items []struct {
		Type, Role string
		Content    json.RawMessage
		Output     json.RawMessage
		Tools      []responsesTool
	}
	if json.Unmarshal(in.Input, &items) != nil {
		t.user(flat(in.Input))
		return t, nil
	}
	for _, it := range items {
		switch {
		case it.Type == "additional_tools": // some models get their tools as an input item
			t.offer("", it.Tools)
		case strings.HasSuffix(it.Type, "_call_output"):
			t.result(flat(it.Output))
		case it.Role == "user":
			for _, p := range parts(it.Content) {
				t.user(p.Text)
			}
		}
	}
	return t, nil
}

// offer adds tools, those of a namespace with its name.
func (t *turn) offer(namespace string, tools []responsesTool) {
	for _, tl := range tools {
		if tl.Type == "namespace" {
			t.offer(tl.Name, tl.Tools)
			continue
		}
		n := tool{Name: tl.Name, Namespace: namespace, Freeform: tl.Type == "custom"}
		if tl.Name == "" {
			n.Name = tl.Type
		}
		_ = json.Unmarshal(tl.Parameters, &n.Schema) // a free-form tool has none
		t.tools = append(t.tools, n)
	}
}

type responses struct{}

func (responses) items(t turn, r Reply) []obj {
	var items []obj
	if r.Text != "" {
		items = append(items, obj{
			"type": "message", "id": "msg_" + t.id, "role": "assistant", "status": "completed",
			"content": []obj{{"type": "output_text", "text": r.Text, "annotations": []any{}}},
		})
	}
	for _, c := range r.Calls {
		it := obj{
			"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Name,
			"arguments": c.argsJSON(), "status": "completed",
		}
		if c.Args == nil {
			it = obj{
				"type": "custom_tool_call", "id": "ctc_" + c.ID, "call_id": c.ID, "name": c.Name,
				"input": c.Raw, "status": "completed",
			}
		}
		if c.Namespace != "" {
			it["namespace"] = c.Namespace
		}
		items = append(items, it)
	}
	return items
}

func (responses) object(t turn, status string, items []obj) obj {
	return obj{
		"id": "resp_" + t.id, "object": "response", "created_at": 1, "status": status, "model": t.model,
		"output": items, "parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{},
		"usage": obj{
			"input_tokens": 100, "output_tokens": 10, "total_tokens": 110,
			"input_tokens_details": obj{"cached_tokens": 0}, "output_tokens_details": obj{"reasoning_tokens": 0},
		},
	}
}

func (e responses) whole(t turn, r Reply) any { return e.object(t, "completed", e.items(t, r)) }

func (e responses) stream(t turn, r Reply, out sse) {
	seq := 0
	send := func(typ string, o obj) {
		o["type"], o["sequence_number"] = typ, seq
		seq++
		out.send(typ, o)
	}
	send("response.created", obj{"response": e.object(t, "in_progress", []obj{})})
	items := e.items(t, r)
	for i, it := range items {
		open := maps.Clone(it)
		open["status"] = "in_progress"
		about := obj{"item_id": it["id"], "output_index": i}
		switch it["type"] {
		case "message":
			streamText(send, open, about, r.Text)
		case "function_call":
			streamArgs(send, open, about, "arguments", "response.function_call_arguments", it)
		default:
			streamArgs(send, open, about, "input", "response.custom_tool_call_input", it)
		}
		send("response.output_item.done", obj{"output_index": i, "item": it})
	}
	send("response.completed", obj{"response": e.object(t, "completed", items)})
}

func streamText(send func(string, obj), open, about obj, text string) {
	with := func(more obj) obj {
		o := maps.Clone(about)
		o["content_index"] = 0
		maps.Copy(o, more)
		return o
	}
	textPart := func(text string) obj { return obj{"type": "output_text", "text": text, "annotations": []any{}} }
	open["content"] = []any{}
	send("response.output_item.added", obj{"output_index": about["output_index"], "item": open})
	send("response.content_part.added", with(obj{"part": textPart("")}))
	send("response.output_text.delta", with(obj{"delta": text}))
	send("response.output_text.done", with(obj{"text": text}))
	send("response.content_part.done", with(obj{"part": textPart(text)}))
}

func streamArgs(send func(string, obj), open, about obj, key, event string, it obj) {
	with := func(more obj) obj {
		o := maps.Clone(about)
		maps.Copy(o, more)
		return o
	}
	open[key] = ""
	send("response.output_item.added", obj{"output_index": about["output_index"], "item": open})
	send(event+".delta", with(obj{"delta": it[key]}))
	send(event+".done", with(obj{"name": it["name"], key: it[key]}))
}
