package serve

// The OpenAPI document, made from the table of routes and the types behind it.

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"assent"
)

var update = flag.Bool("update", false, "write openapi.json anew")

func TestTheAPIIsDescribed(t *testing.T) {
	t.Parallel()
	var doc bytes.Buffer
	raw := must[[]byte](t)(json.Marshal(describe()))
	if err := json.Indent(&doc, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	doc.WriteByte('\n')
	if *update {
		if err := os.WriteFile("openapi.json", doc.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(doc.Bytes(), openapi) {
		t.Fatal("openapi.json is not that of the routes: go test ./serve -run Described -update")
	}
	f := start(t)
	if code, raw := f.http(t, "GET", "/openapi.json", nil); code != 200 || !bytes.Equal(raw, openapi) {
		t.Fatalf("%d %s", code, raw)
	}
}

func TestTheDescriptionIsWhole(t *testing.T) {
	t.Parallel()
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(openapi, &doc); err != nil || !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Fatal(doc.OpenAPI, err)
	}
	for _, r := range routes {
		if doc.Paths[r.path][strings.ToLower(r.method)] == nil {
			t.Errorf("%s %s is not described", r.method, r.path)
		}
	}
	for _, name := range []string{"Event", "Verdict", "Request", "Answer", "Grant", "Problem"} {
		if doc.Components.Schemas[name] == nil {
			t.Errorf("no schema of %s", name)
		}
	}
}

func describe() *huma.OpenAPI {
	reg := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	reg.RegisterTypeAlias(typeOf[assent.Duration](), typeOf[float64]()) // seconds
	api := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "assent", Version: "1",
			Description: "What AI agents may do: events are judged, people are asked, grants are given and everything is recorded.",
		},
		Components: &huma.Components{Schemas: reg, SecuritySchemes: map[string]*huma.SecurityScheme{
			"token": {Type: "http", Scheme: "bearer", Description: "over HTTP, a token for each facet; the unix sockets need none"},
		}},
		Security: []map[string][]string{{"token": {}}},
	}
	for _, r := range routes {
		api.AddOperation(r.describe(reg))
	}
	return api
}

// describe makes the OpenAPI operation of a route.
func (r route) describe(reg huma.Registry) *huma.Operation {
	op := &huma.Operation{
		OperationID: r.name, Method: r.method, Path: r.path, Summary: r.doc, Tags: r.at.names(),
		Responses: map[string]*huma.Response{
			"200":     content("What was asked for.", "application/json", reg, r.reply),
			"default": content("What went wrong.", "application/problem+json", reg, typeOf[Problem]()),
		},
	}
	if r.reply == nil {
		op.Responses["200"] = &huma.Response{Description: "One event for each record.", Content: map[string]*huma.MediaType{
			"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}},
		}}
	}
	if r.body != nil {
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: sent(reg, r.body)},
		}}
	}
	if strings.Contains(r.path, "{id}") {
		op.Parameters = append(op.Parameters, &huma.Param{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	for _, p := range r.query {
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "query", Description: p.doc, Schema: &huma.Schema{Type: p.kind}})
	}
	if public[r.path] {
		op.Security = []map[string][]string{}
	}
	return op
}

// sent is the schema of what is sent: the doors fill in much of what they reply
// with, and refuse to be told who somebody is.
func sent(reg huma.Registry, t reflect.Type) *huma.Schema {
	reg.Schema(t, true, "")
	s := *reg.Schema(t, false, "")
	s.Properties = maps.Clone(s.Properties)
	for _, name := range []string{"by", "principal"} {
		delete(s.Properties, name)
	}
	if t == typeOf[assent.Use]() {
		s.Properties["event"] = sent(reg, typeOf[assent.Event]())
		s.Properties["event"].Required = []string{"call", "tool", "input"}
	}
	s.Required = map[reflect.Type][]string{
		typeOf[assent.Event]():       {"name", "agent"},
		typeOf[assent.Answer]():      {"decision"},
		typeOf[assent.Forwarding]():  {"to"},
		typeOf[assent.Handling]():    {"holder"},
		typeOf[assent.Use]():         {"event"},
		typeOf[assent.Start]():       {"session", "call", "digest"},
		typeOf[assent.End]():         {"session", "call", "digest", "started"},
		typeOf[assent.ReceiptWish](): {"grant", "audience", "nonce"},
	}[t]
	return &s
}

func content(doc, kind string, reg huma.Registry, t reflect.Type) *huma.Response {
	if t == nil {
		return nil
	}
	return &huma.Response{Description: doc, Content: map[string]*huma.MediaType{kind: {Schema: reg.Schema(t, true, "")}}}
}

// names are those of the facets, for whoever looks for the right door.
func (s facets) names() (all []string) {
	for f := Requester; f <= Auditor; f++ {
		if s.has(f) {
			all = append(all, f.String())
		}
	}
	return all
}
