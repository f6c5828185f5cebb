package serve

// Errors on the wire: one table, read in both directions.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"assent"
)

// Errors of the doors themselves. A client sees what they wrap.
var (
	errToken  = fmt.Errorf("the bearer token is missing or wrong: %w", assent.ErrForbidden)
	errFacet  = fmt.Errorf("another door: %w", assent.ErrForbidden)
	errHost   = fmt.Errorf("another site: %w", assent.ErrForbidden)
	errLarge  = fmt.Errorf("the body is larger than %d MiB: %w", maxBody>>20, assent.ErrInvalid)
	errSlow   = fmt.Errorf("the body did not arrive in time: %w", assent.ErrInvalid)
	errMedia  = fmt.Errorf("the body must be application/json: %w", assent.ErrInvalid)
	errPath   = fmt.Errorf("there is nothing at this path: %w", assent.ErrNotFound)
	errMethod = fmt.Errorf("this path has other methods: %w", assent.ErrInvalid)
)

// wireError is one row: an error, its status, its code, and what to do next.
type wireError struct {
	err    error
	status int
	code   string
	hint   string
}

// table maps errors to what travels and back. Of several rows that match, the
// first counts, so what wraps another stands before it.
var table = []wireError{
	{errToken, http.StatusUnauthorized, "token", "send a token of assent's home (tokens/requester, holder, granter or auditor): Authorization: Bearer TOKEN"},
	{errFacet, http.StatusForbidden, "facet", "each of the four has a socket and a token of its own in assent's home: use the one that is named"},
	{errHost, http.StatusForbidden, "host", "use the address that assent serve printed"},
	{errLarge, http.StatusRequestEntityTooLarge, "too-large", ""},
	{errSlow, http.StatusRequestTimeout, "too-slow", ""},
	{errMedia, http.StatusUnsupportedMediaType, "media-type", "send Content-Type: application/json"},
	{errPath, http.StatusNotFound, "path", "GET /openapi.json lists what there is"},
	{errMethod, http.StatusMethodNotAllowed, "method", "GET /openapi.json lists what there is"},

	{assent.ErrRevoked, http.StatusForbidden, "grant-revoked", ""},
	{assent.ErrExpired, http.StatusForbidden, "grant-expired", ""},
	{assent.ErrExhausted, http.StatusForbidden, "grant-exhausted", ""},
	{assent.ErrScope, http.StatusForbidden, "grant-scope", ""},
	{assent.ErrNoSuchGrant, http.StatusNotFound, "no-such-grant", "assent grants lists them"},
	{assent.ErrInvalid, http.StatusBadRequest, "invalid", ""},
	{assent.ErrNotFound, http.StatusNotFound, "not-found", "assent requests lists them"},
	{assent.ErrSettled, http.StatusConflict, "settled", ""},
	{assent.ErrStale, http.StatusConflict, "stale", "look at it again, then answer"},
	{assent.ErrForbidden, http.StatusForbidden, "forbidden", ""},
	{assent.ErrSelfApproval, http.StatusForbidden, "self-approval", "answer in a terminal of your own, outside the agent"},
	{assent.ErrFull, http.StatusServiceUnavailable, "full", "try again when some of it is done"},
	{assent.ErrUnavailable, http.StatusServiceUnavailable, "unavailable", "start assent serve"},
	{assent.ErrLocked, http.StatusServiceUnavailable, "locked", ""},
	{assent.ErrNewer, http.StatusInternalServerError, "newer", "install the newer assent"},
	{assent.ErrDamaged, http.StatusInternalServerError, "damaged", "run assent doctor"},
	{assent.ErrChain, http.StatusInternalServerError, "chain", "run assent log verify"},
}

// internal is the row of every other error.
var internal = wireError{nil, http.StatusInternalServerError, "internal", "run assent doctor"}

// Problem is an error as it travels: RFC 9457, with a stable code. On the client
// it unwraps to the sentinel that the engine returned.
type Problem struct {
	Type    string          `json:"type"` // "urn:assent:error:" and the code
	Title   string          `json:"title"`
	Status  int             `json:"status"`
	Code    string          `json:"code"`
	Detail  string          `json:"detail"`
	Hint    string          `json:"hint,omitempty"`
	Request *assent.Request `json:"request,omitempty"` // as it stands, when it was settled before
}

// Error is the detail.
func (p *Problem) Error() string { return p.Detail }

// Unwrap returns what the code stands for, or nil if it stands for nothing.
func (p *Problem) Unwrap() error {
	for _, row := range table {
		if row.code == p.Code {
			return row.err
		}
	}
	return nil
}

func problemOf(err error) *Problem {
	row := internal
	for _, r := range table {
		if errors.Is(err, r.err) {
			row = r
			break
		}
	}
	p := &Problem{
		Type: "urn:assent:error:" + row.code, Title: http.StatusText(row.status),
		Status: row.status, Code: row.code, Detail: err.Error(), Hint: row.hint,
	}
	var more *settledError
	if errors.As(err, &more) {
		p.Request = &more.request
	}
	return p
}

// settledError carries the request that somebody else has settled.
type settledError struct {
	error
	request assent.Request
}

func (e *settledError) Unwrap() error { return e.error }

func writeProblem(w http.ResponseWriter, err error) {
	p := problemOf(err)
	body, _ := json.Marshal(p)
	w.Header().Set("Content-Type", "application/problem+json")
	switch p.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="assent"`)
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(body) // whoever left does not need it
}

// readProblem reads an error reply.
func readProblem(status int, body io.Reader) error {
	p := &Problem{}
	err := json.NewDecoder(io.LimitReader(body, maxReply)).Decode(p)
	if err != nil || p.Code == "" {
		return fmt.Errorf("the server answered %d in words that are not its own", status)
	}
	return p
}
