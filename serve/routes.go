package serve

// The API: one table of routes.

import (
	_ "embed" // openapi.json
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"assent"
)

// route is one row of the API.
type route struct {
	at                 facets // on whose doors it is
	method, path, name string
	doc                string
	query              []param
	body               reflect.Type // what is sent; nil = nothing
	reply              reflect.Type // what comes back; nil = a stream of events
	do                 func(*call) (any, error)
}

// param is one query parameter.
type param struct{ name, kind, doc string }

var (
	limitParam   = param{"limit", "integer", "at most so many, up to 1000"}
	sessionParam = param{"session", "string", "only those of this session"}
)

// routes lists the API.
var routes = []route{
	{requester, "POST", "/v1/events", "handle", "Judge and record an event.", nil, typeOf[assent.Event](), typeOf[assent.Verdict](), (*call).told},
	{requester, "POST", "/v1/check", "check", "Judge an event, and do nothing else.", nil, typeOf[assent.Event](), typeOf[Checked](), (*call).check},
	{auditor, "GET", "/v1/requests", "requests", "List requests, oldest first.", []param{
		{"state", "string", "pending, approved, denied, expired or withdrawn"}, sessionParam,
		{"after", "string", "only those after this one"}, limitParam,
	}, nil, typeOf[requestList](), (*call).requests},
	{requester | auditor, "GET", "/v1/requests/{id}", "request", "One request.", nil, nil, typeOf[assent.Request](), (*call).request},
	{requester, "GET", "/v1/requests/{id}/wait", "wait", "One request, once it is settled or the time is up.", []param{
		{"hold", "string", `how long to wait, such as "55s" or 55; at most 60 seconds`},
	}, nil, typeOf[assent.Request](), (*call).wait},
	{granter, "POST", "/v1/requests/{id}/answer", "answer", "Answer a request.", nil, typeOf[assent.Answer](), typeOf[assent.Request](), (*call).answer},
	{auditor, "GET", "/v1/grants", "grants", "List grants, oldest first.", []param{
		sessionParam, {"live", "boolean", "only those that can be used"},
	}, nil, typeOf[grantList](), (*call).grants},
	{granter, "POST", "/v1/grants/{id}/revoke", "revoke", "Revoke one grant.", nil, typeOf[assent.Revocation](), typeOf[assent.Revoked](), (*call).revokeOne},
	{granter, "POST", "/v1/grants/{id}/forward", "forward", "Hand a grant on to a session, which gets a child of it.", nil, typeOf[assent.Forwarding](), typeOf[assent.Grant](), (*call).forward},
	{granter, "POST", "/v1/revoke", "revoke-many", "Revoke the grants of a session, or all.", nil, typeOf[assent.Revocation](), typeOf[assent.Revoked](), (*call).revoke},
	{granter, "POST", "/v1/grants/{id}/renew", "renew", "Have a standing grant stand on.", nil, typeOf[assent.Renewal](), typeOf[assent.Grant](), (*call).renew},
	{granter, "POST", "/v1/grants/{id}/handle", "hold", "Make a handle of a grant, for a holder.", nil, typeOf[assent.Handling](), typeOf[Handled](), (*call).handle},
	{granter, "POST", "/v1/keys", "enroll", "Make an approver key count.", nil, typeOf[assent.Enrollment](), typeOf[done](), (*call).enroll},
	{holder, "POST", "/v1/use", "use", "Ask whether something may be done now, and spend a use of a grant on it.", nil, typeOf[assent.Use](), typeOf[assent.Verdict](), (*call).use},
	{holder, "POST", "/v1/begin", "begin", "Say that what was allowed runs now.", nil, typeOf[assent.Start](), typeOf[done](), (*call).beginUse},
	{holder, "POST", "/v1/end", "end", "Say that it is over.", nil, typeOf[assent.End](), typeOf[Ended](), (*call).endUse},
	{holder, "POST", "/v1/receipt", "receipt", "Have an outsider told of a grant, signed.", nil, typeOf[assent.ReceiptWish](), typeOf[Receipt](), (*call).receipt},
	{holder, "GET", "/v1/usable", "usable", "List the grants that the caller may use.", nil, nil, typeOf[grantList](), (*call).usable},
	{auditor, "GET", "/v1/records", "records", "Records of the log, in order.", []param{
		{"after", "integer", "only those after this number"}, limitParam,
		{"payloads", "boolean", "with what was sent, where it is still kept"},
	}, nil, typeOf[recordList](), (*call).records},
	{auditor, "GET", "/v1/stream", "stream", "Records as server-sent events, as they are written. Last-Event-ID resumes.", []param{
		{"after", "integer", "begin after this number; the newest if it is missing"},
	}, nil, nil, (*call).stream},
	{everybody, "GET", "/healthz", "health", "Whether the server is well.", nil, nil, typeOf[Health](), (*call).health},
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// openapi describes the API. A test makes it from the routes, with huma, and
// compares: so the program that agents start for every call carries no more
// than the text. To write it anew: go test ./serve -run Described -update
//
//go:embed openapi.json
var openapi []byte

// routes builds the handler of the whole API.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.HandleFunc(r.method+" "+r.path, func(w http.ResponseWriter, req *http.Request) { s.serve(r, w, req) })
	}
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(openapi)
	})
	return known{mux}
}

// serve runs one route.
func (s *Server) serve(r route, w http.ResponseWriter, req *http.Request) {
	c := &call{Server: s, w: w, r: req, who: callerOf(req)}
	v, err := any(nil), c.admitted(r)
	if err == nil {
		err = c.asked(r)
	}
	if err == nil {
		v, err = r.do(c)
	}
	if err == nil && v != nil {
		err = c.reply(v)
	}
	if err != nil {
		_ = c.taking(replyTime)
		writeProblem(w, err)
	}
}

// asked refuses query parameters that the route does not have.
func (c *call) asked(r route) error {
	for name, values := range c.r.URL.Query() {
		if !slices.ContainsFunc(r.query, func(p param) bool { return p.name == name }) {
			return fmt.Errorf("unknown parameter %q: %w", clip(name), assent.ErrInvalid)
		}
		if len(values) > 1 {
			return fmt.Errorf("the parameter %q stands twice: %w", name, assent.ErrInvalid)
		}
	}
	return nil
}

// known answers in our own words what the mux would refuse in its own.
type known struct{ *http.ServeMux }

func (k known) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := k.Handler(r); pattern != "" {
		k.ServeMux.ServeHTTP(w, r)
		return
	}
	other := r.Clone(r.Context())
	for _, m := range []string{http.MethodGet, http.MethodPost} {
		other.Method = m
		if _, pattern := k.Handler(other); pattern != "" {
			w.Header().Set("Allow", m)
			writeProblem(w, errMethod)
			return
		}
	}
	writeProblem(w, errPath)
}
