// Command webhook is an approval hook behind an address: it answers for a fleet of
// machines what their agents may do, and signs what it says.
//
//	HOOK_SECRET=… webhook 127.0.0.1:8099
//	approvals: {mode: custom, hook: "http://127.0.0.1:8099/", hook_secret: "env:HOOK_SECRET"}
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	secret := os.Getenv("HOOK_SECRET")
	if len(os.Args) != 2 || secret == "" {
		log.Fatal("usage: HOOK_SECRET=… webhook ADDRESS")
	}
	s := http.Server{Addr: os.Args[1], Handler: hook{secret}, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	log.Fatal(s.ListenAndServe())
}

// hook answers requests that are signed with the secret.
type hook struct{ secret string }

// header carries the signatures, both ways.
const header = "X-Assent-Signature-256"

func (h hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !hmac.Equal([]byte(r.Header.Get(header)), []byte(h.sign(body))) {
		http.Error(w, "not signed", http.StatusForbidden)
		return
	}
	var q request
	if err := json.Unmarshal(body, &q); err != nil {
		http.Error(w, "not understood", http.StatusBadRequest)
		return
	}
	answer, err := json.Marshal(judge(q))
	if err != nil {
		http.Error(w, "no answer", http.StatusInternalServerError)
		return
	}
	// The answer is signed together with the signature of what it answers, so that
	// it is good for nothing else.
	w.Header().Set(header, h.sign([]byte(r.Header.Get(header)+"\n"), answer))
	_, _ = w.Write(answer)
}

func (h hook) sign(parts ...[]byte) string {
	mac := hmac.New(sha256.New, []byte(h.secret))
	for _, p := range parts {
		mac.Write(p)
	}
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// request is what of the question this hook goes by.
type request struct {
	Dir      string `json:"cwd"`
	Findings []struct {
		Code   string `json:"code"`
		Target string `json:"target"`
	} `json:"findings"`
}

// answer is what it says.
type answer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Uses     int    `json:"uses,omitempty"`
	Seconds  int    `json:"seconds,omitempty"`
}

// judge lets agents clear what they have built, keeps them from speaking to the
// machine's cloud, and leaves the rest to people. It goes by the facts, not by the
// text of the command.
func judge(q request) answer {
	built := q.Dir + "/build"
	for _, f := range q.Findings {
		if f.Code == "net.egress" && strings.HasPrefix(f.Target, "169.254.") {
			return answer{Decision: "deny", Reason: "agents do not speak to the cloud's metadata"}
		}
		if f.Code != "fs.delete" || f.Target != built && !strings.HasPrefix(f.Target, built+"/") {
			return answer{Decision: "escalate", Reason: "more than clearing " + built}
		}
	}
	if len(q.Findings) == 0 || q.Dir == "" {
		return answer{Decision: "escalate", Reason: "no fact to go by"}
	}
	return answer{Decision: "approve", Reason: "clears " + built, Seconds: 60}
}
