package mockllm

// Anthropic Messages.

import "encoding/json"

func decodeAnthropic(body []byte) (t turn, err error) {
	var in struct {
		Model  string
		Stream bool
		Tools  []struct {
			Name   string
			Schema json.RawMessage `json:"input_schema"`
		}
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	t.model, t.stream = in.Model, in.Stream
	for _, tl := range in.Tools {
		n := tool{Name: tl.Name}
		_ = json.Unmarshal(tl.Schema, &n.Schema)
		t.tools = append(t.tools, n)
	}
	for _, m := range in.Messages {
		if m.Role != "user" {
			continue
		}
		for _, p := range parts(m.Content) {
			if p.Type == "tool_result" {
				t.result(flat(p.Content))
			} else {
				t.user(p.Text)
			}
		}
	}
	return t, nil
}

type anthropic struct{}

func (anthropic) stop(r Reply) string {
	if len(r.Calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func (a anthropic) whole(t turn, r Reply) any {
	content := []obj{}
	if r.Text != "" {
		content = append(content, obj{"type": "text", "text": r.Text})
	}
	for _, c := range r.Calls {
		content = append(content, obj{"type": "tool_use", "id": "toolu_" + c.ID, "name": c.Name, "input": c.Args})
	}
	return obj{
		"id": "msg_" + t.id, "type": "message", "role": "assistant", "model": t.model, "content": content,
		"stop_reason": a.stop(r), "stop_sequence": nil, "usage": obj{"input_tokens": 100, "output_tokens": 10},
	}
}

func (a anthropic) stream(t turn, r Reply, out sse) {
	out.send("message_start", obj{"type": "message_start", "message": obj{
		"id": "msg_" + t.id, "type": "message", "role": "assistant", "model": t.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": obj{"input_tokens": 100, "output_tokens": 1},
	}})
	i := 0
	block := func(start, delta obj) {
		out.send("content_block_start", obj{"type": "content_block_start", "index": i, "content_block": start})
		out.send("content_block_delta", obj{"type": "content_block_delta", "index": i, "delta": delta})
		out.send("content_block_stop", obj{"type": "content_block_stop", "index": i})
		i++
	}
	if r.Text != "" {
		block(obj{"type": "text", "text": ""}, obj{"type": "text_delta", "text": r.Text})
	}
	for _, c := range r.Calls {
		block(obj{"type": "tool_use", "id": "toolu_" + c.ID, "name": c.Name, "input": obj{}},
			obj{"type": "input_json_delta", "partial_json": c.argsJSON()})
	}
	out.send("message_delta", obj{
		"type":  "message_delta",
		"delta": obj{"stop_reason": a.stop(r), "stop_sequence": nil}, "usage": obj{"output_tokens": 10},
	})
	out.send("message_stop", obj{"type": "message_stop"})
}
