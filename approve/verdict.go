package approve

// The verdict: how a model is asked, and what of its words counts.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent"
)

// verdict is what a judge says.
type verdict struct {
	Decision assent.Decision // Allow, Deny, or Ask: people decide
	Why      string
}

// verdicts are the words of a judge.
var verdicts = map[string]assent.Decision{"approve": assent.Allow, "deny": assent.Deny, "escalate": assent.Ask}

// question is the body that asks a model for one completion.
func question(model, system, action string) ([]byte, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	return json.Marshal(struct {
		Model       string    `json:"model"`
		Temperature int       `json:"temperature"`
		Stream      bool      `json:"stream"`
		Messages    []message `json:"messages"`
	}{Model: model, Messages: []message{{"system", system}, {"user", action}}})
}

// reply is what the model said. An answer that was cut short, or that is more than
// one, is none.
func reply(body []byte) (string, error) {
	var a struct {
		Choices []struct {
			Finish  string `json:"finish_reason"`
			Message struct {
				Content *string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	switch err := json.Unmarshal(body, &a); {
	case err != nil:
		return "", errors.New("its answer is no chat completion")
	case len(a.Choices) != 1:
		return "", fmt.Errorf("its answer holds %d choices, where one was expected", len(a.Choices))
	case a.Choices[0].Finish != "" && a.Choices[0].Finish != "stop":
		return "", fmt.Errorf("its answer was cut short (%s)", clip(a.Choices[0].Finish, 40))
	case a.Choices[0].Message.Content == nil:
		return "", errors.New("its answer is empty")
	}
	return *a.Choices[0].Message.Content, nil
}

// readVerdict reads one JSON object with a verdict, or one bare word. A fence around
// it is tolerated, since many models cannot help it; anything else is an error.
func readVerdict(said string) (verdict, error) {
	text := unfenced(strings.TrimSpace(said))
	if text == "" {
		return verdict{}, errors.New("its answer is empty")
	}
	if d, ok := verdicts[strings.ToLower(text)]; ok {
		return verdict{Decision: d}, nil
	}
	canon, err := assent.Canonical([]byte(text))
	if err != nil || canon[0] != '{' {
		return verdict{}, fmt.Errorf("its answer is no verdict: %s", clip(text, 200))
	}
	var in map[string]json.RawMessage // a struct would take "VERDICT" for "verdict"
	if err := json.Unmarshal(canon, &in); err != nil {
		return verdict{}, fmt.Errorf("its answer is no verdict: %s", clip(text, 200))
	}
	var word, why string
	if json.Unmarshal(in["verdict"], &word) != nil || in["why"] != nil && json.Unmarshal(in["why"], &why) != nil {
		return verdict{}, fmt.Errorf("its answer is no verdict: %s", clip(text, 200))
	}
	d, ok := verdicts[strings.ToLower(strings.TrimSpace(word))]
	if !ok {
		return verdict{}, fmt.Errorf("its verdict %q is unknown", clip(word, 40))
	}
	return verdict{d, why}, nil
}

// unfenced is a text without the fence of a code block around all of it.
func unfenced(text string) string {
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner, ok = strings.CutSuffix(strings.TrimPrefix(inner, "json"), "```")
	if !ok || strings.Contains(inner, "```") {
		return text
	}
	return strings.TrimSpace(inner)
}
