package mockllm

// Gemini generateContent.

import (
	"encoding/json"
	"strings"
)

func decodeGemini(body []byte) (t turn, err error) {
	var in struct {
		Tools []struct {
			FunctionDeclarations []struct {
				Name       string
				Parameters json.RawMessage
				Schema     json.RawMessage `json:"parametersJsonSchema"`
			}
		}
		Contents []struct {
			Role  string
			Parts []struct {
				Text             string
				FunctionResponse *struct{ Response json.RawMessage }
			}
		}
	}
	if err = json.Unmarshal(body, &in); err != nil {
		return t, err
	}
	for _, group := range in.Tools {
		for _, f := range group.FunctionDeclarations {
			n := tool{Name: f.Name}
			if f.Schema == nil {
				f.Schema = []byte(strings.NewReplacer(`"STRING"`, `"string"`, `"ARRAY"`, `"array"`, `"BOOLEAN"`, `"boolean"`,
					`"NUMBER"`, `"number"`, `"INTEGER"`, `"integer"`, `"OBJECT"`, `"object"`).Replace(string(f.Parameters)))
			}
			_ = json.Unmarshal(f.Schema, &n.Schema)
			t.tools = append(t.tools, n)
		}
	}
	for _, c := range in.Contents {
		for _, p := range c.Parts {
			if p.FunctionResponse != nil {
				t.result(string(p.FunctionResponse.Response))
			} else if c.Role != "model" {
				t.user(p.Text)
			}
		}
	}
	return t, nil
}

type gemini struct{}

func (gemini) whole(t turn, r Reply) any {
	ps := []obj{}
	if r.Text != "" {
		ps = append(ps, obj{"text": r.Text})
	}
	for _, c := range r.Calls {
		ps = append(ps, obj{"functionCall": obj{"id": c.ID, "name": c.Name, "args": c.Args}})
	}
	return obj{
		"candidates":    []obj{{"index": 0, "finishReason": "STOP", "content": obj{"role": "model", "parts": ps}}},
		"usageMetadata": obj{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
		"modelVersion":  t.model, "responseId": t.id,
	}
}

func (e gemini) stream(t turn, r Reply, out sse) { out.send("", e.whole(t, r)) }
