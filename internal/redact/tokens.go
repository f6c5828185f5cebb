package redact

// Tokens that are known by how they begin.

import (
	"strings"

	"assent"
)

// shape is a kind of token: how it begins, and the fewest characters that follow.
type shape struct {
	prefix string
	least  int
}

var shapes = []shape{
	{"ghp_", 20}, {"gho_", 20}, {"ghu_", 20}, {"ghs_", 20}, {"ghr_", 20}, {"github_pat_", 20},
	{"glpat-", 16}, {"glrt-", 16},
	{"sk-", 16}, {"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16}, {"whsec_", 16}, {"gsk_", 16}, {"xai-", 16},
	{"xoxb-", 10}, {"xoxp-", 10}, {"xoxa-", 10}, {"xoxr-", 10}, {"xoxs-", 10}, {"xapp-", 10},
	{"AKIA", 16}, {"ASIA", 16}, {"AIza", 30}, {"ya29.", 16},
	{"npm_", 20}, {"pypi-", 20}, {"hf_", 20}, {"dop_v1_", 20}, {"shpat_", 20}, {"SG.", 20}, {"tskey-", 16},
	{"AGE-SECRET-KEY-1", 20},
	{"assent_", 24}, // our own
}

// leastHandle is how much of a handle is worth hiding: its prefix alone is none, and
// one that was cut off is as secret as what is left of it.
const leastHandle = 8

// handles hides assent's own handles, whole and narrowed, wherever they stand: what is
// before one may be a letter too, of an escape (\nassent_h1_…) or of an address
// (%3Dassent_h1_…).
func handles(s string) string {
	if !strings.Contains(s, assent.HandlePrefix) {
		return s
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, assent.HandlePrefix)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		n := run(after, isToken)
		if n < leastHandle {
			out.WriteString(assent.HandlePrefix + after[:n])
		} else {
			out.WriteString(Mark)
		}
		s = after[n:]
	}
}

// shaped is how long the token is that s begins with; 0: it does not.
func shaped(s string) int {
	for _, k := range shapes {
		if s[0] != k.prefix[0] || !strings.HasPrefix(s, k.prefix) {
			continue
		}
		if n := run(s[len(k.prefix):], isToken); n >= k.least {
			return len(k.prefix) + n
		}
	}
	if strings.HasPrefix(s, "eyJ") {
		return signed(s)
	}
	return bearer(s)
}

// signed is a JSON Web Token: three parts in base64, the first of which is an
// object.
func signed(s string) int {
	n := run(s[:min(len(s), 4*longest)], func(c byte) bool { return isToken(c) && c != '.' })
	if n < 12 || n == len(s) || s[n] != '.' {
		return 0
	}
	return n + run(s[n:], isToken)
}

// bearer is what follows the word, if it is long enough to be no word itself; the
// word is hidden with it.
func bearer(s string) int {
	const word = "bearer "
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return 0
	}
	if n := run(s[len(word):], isCredential); n >= 16 {
		return len(word) + n
	}
	return 0
}

func isToken(c byte) bool      { return isWord(c) || c == '-' || c == '.' }
func isCredential(c byte) bool { return isToken(c) || strings.IndexByte("~+/=", c) >= 0 }
