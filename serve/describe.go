package serve

// Describing a route in OpenAPI.

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// describe makes the OpenAPI operation of a route.
func (r route) describe(reg huma.Registry) *huma.Operation {
	op := &huma.Operation{
		OperationID: r.name, Method: r.method, Path: r.path, Summary: r.doc,
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
			"application/json": {Schema: reg.Schema(r.body, true, r.name)},
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

func content(doc, kind string, reg huma.Registry, t reflect.Type) *huma.Response {
	if t == nil {
		return nil
	}
	return &huma.Response{Description: doc, Content: map[string]*huma.MediaType{kind: {Schema: reg.Schema(t, true, "")}}}
}
