package approve

// Smart: a model as judge, behind an endpoint that speaks OpenAI's chat completions.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assent"
	"assent/internal/post"
)

// MaxInput is the most characters that the judge is given; what is longer goes to
// people whole, rather than to the judge in part.
const MaxInput = 32_768

// authorityFor is how long a yes of the judge may be used.
const authorityFor = 60 * time.Second

// Smart asks a model. By default it may deny, explain and propose; with Authority
// its yes to an ordinary action counts, once and for a minute. It may be called
// concurrently, and must not be copied once it was used.
type Smart struct {
	URL       string        // of the API ("https://host/v1"), or of its chat completions
	Model     string        //
	Key       func() string // the API's key, read anew each time; nil = none
	Policy    string        // the owner's own words to the judge
	Authority bool          // a yes counts
	Timeout   time.Duration // 0 = DefaultTimeout
	Breaker   int           // denials in a row after which a session is told to stop; 0 = DefaultBreaker, less = never

	tally tally
}

// Name is who the judge is: the model, and the hash of where it is asked and of what
// it is told to go by.
func (s *Smart) Name() assent.Identity {
	id := digest([]byte(fmt.Sprintf("%q %q %q %v", s.endpoint(), s.Model, s.system(), s.Authority)))
	return assent.Identity{Surface: assent.SurfaceJudge, ID: s.Model + "@" + id, Name: "judge " + s.Model}
}

// Approve asks the judge. The error is nil: what goes wrong is a Fault in the advice,
// for people to decide.
func (s *Smart) Approve(ctx context.Context, r assent.Request) (assent.Advice, error) {
	from := time.Now()
	a := s.judge(ctx, r)
	a.By, a.At, a.Took, a.Done = s.Name(), from, assent.Duration(time.Since(from)), true
	return a, nil
}

func (s *Smart) judge(ctx context.Context, r assent.Request) assent.Advice {
	action, err := describe(r)
	if err == nil && utf8.RuneCountInString(action)+utf8.RuneCountInString(s.system()) > MaxInput {
		err = errors.New("it is too long")
	}
	if err != nil {
		return assent.Advice{Decision: assent.Ask, Reason: "not put to the judge: " + err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, timeout(s.Timeout))
	defer cancel()
	said, status, err := s.complete(ctx, action)
	if err != nil {
		a := failed("the judge: " + err.Error())
		a.Exit = status
		return a
	}
	v, err := readVerdict(said)
	if err != nil {
		return failed("the judge: " + err.Error())
	}
	return s.advise(v, r)
}

// advise is what becomes of a verdict: what the judge may say, and no more.
func (s *Smart) advise(v verdict, r assent.Request) assent.Advice {
	why := sentence(clip(v.Why, maxReason-400)) // leaves room for our own words
	denials := s.tally.count(r.Case.Session, v.Decision == assent.Deny)
	switch {
	case v.Decision == assent.Deny:
		return assent.Advice{Decision: assent.Deny, Reason: orText(why, "the judge denies it") + s.stop(denials)}
	case v.Decision != assent.Allow:
		return assent.Advice{Decision: assent.Ask, Reason: orText(why, "the judge leaves it to people")}
	case !s.Authority:
		return assent.Advice{Decision: assent.Ask, Reason: "the judge would allow it: " + orText(why, "it gave no reason")}
	}
	if code := beyond(r.Case); code != "" {
		return assent.Advice{Decision: assent.Ask, Reason: fmt.Sprintf("the judge would allow it, and may not (%s): %s", code, orText(why, "it gave no reason"))}
	}
	return assent.Advice{Decision: assent.Allow, Reason: orText(why, "the judge allows it"), Width: assent.Once, For: assent.Duration(authorityFor)}
}

// beyond is the fact for which an action is beyond the judge's authority: one that is
// protected, or that part of what runs could not be read. Empty: it is not.
func beyond(c assent.Case) string {
	for _, f := range c.Findings {
		if slices.Contains(assent.Protected, f.Code) || f.Code == "code.unbound" {
			return f.Code
		}
	}
	return ""
}

// stop is the hard stop for a session that was denied again and again.
func (s *Smart) stop(denials int) string {
	limit := s.Breaker
	if limit == 0 {
		limit = DefaultBreaker
	}
	if limit < 0 || denials < limit {
		return ""
	}
	return fmt.Sprintf(" (That is %d denials in a row. Stop here, do not try another way, and ask your user how to go on.)", denials)
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// endpoint is the address of the chat completions.
func (s *Smart) endpoint() string {
	const path = "/chat/completions"
	base, query, ok := strings.Cut(s.URL, "?")
	if base = strings.TrimRight(base, "/"); !strings.HasSuffix(base, path) {
		base += path
	}
	if ok {
		base += "?" + query
	}
	return base
}

// complete asks the model once. status is the HTTP status of an answer that is none.
func (s *Smart) complete(ctx context.Context, action string) (said string, status int, err error) {
	body, err := question(s.Model, s.system(), action)
	if err != nil {
		return "", 0, err
	}
	q := post.Request{URL: s.endpoint(), Body: body, Header: map[string]string{}}
	if s.Key != nil {
		if key := s.Key(); key != "" {
			q.Header["Authorization"] = "Bearer " + key
		}
	}
	a, err := q.Send(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "", a.Status, fmt.Errorf("it gave no answer in %s", timeout(s.Timeout))
	case err != nil:
		return "", a.Status, err
	case !a.OK():
		return "", a.Status, fmt.Errorf("it answered with status %d: %s", a.Status, clip(string(a.Body), 300))
	}
	said, err = reply(a.Body)
	return said, 0, err
}
