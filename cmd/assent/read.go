package main

// What the hook is told: an event, or something that cannot be read and is
// recorded all the same.

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"assent"
	"assent/config"
)

// decode reads the event. What cannot be read is an event too: it is denied
// where it gates, and recorded.
func (h *hookCall) decode() assent.Event {
	raw, err := io.ReadAll(io.LimitReader(h.in, maxInput+1))
	switch {
	case h.fault != nil:
		err = h.fault
	case err == nil && len(raw) > maxInput:
		err = fmt.Errorf("it is longer than %d MiB: %w", maxInput>>20, assent.ErrInvalid)
	case err == nil && len(raw) == 0:
		err = errors.New("nothing came on standard input")
	}
	if err != nil {
		return h.unread(raw, err)
	}
	ev, err := h.codec.Decode(h.native, raw, h.env)
	if err != nil {
		return h.partly(ev, raw, err)
	}
	if ev.ID == "" {
		ev.ID = "ev_" + rand.Text() // this run of the hook is this event
	}
	ev.At, ev.Raw = h.now(), nil
	_, ev.Synthetic = ev.Extra[config.CanaryField]
	if h.codec.Look != nil {
		ev = h.codec.Look(ev, os.ReadFile)
	}
	return ev
}

// unread is an event of which no more is known than why it cannot be taken.
func (h *hookCall) unread(raw []byte, why error) assent.Event {
	sum := sha256.Sum256(raw)
	ev := assent.Event{
		ID: "unread-" + hex.EncodeToString(sum[:8]), Name: h.row.Name, Agent: h.codec.Name, At: h.now(), Invalid: "what is about to happen could not be read: " + clip(why.Error()),
	}
	if h.row.Gates && !assent.Gates(ev.Name) {
		ev.Name = assent.PreToolCall
	}
	return ev
}

// partly is an event that cannot be taken, with what could be read of it.
func (h *hookCall) partly(ev assent.Event, raw []byte, why error) assent.Event {
	out := h.unread(raw, why)
	out.Session, out.Turn, out.Call, out.Dir, out.Tool = ev.Session, ev.Turn, ev.Call, ev.Dir, ev.Tool
	return out
}

// clip shortens a text that may hold what somebody sent.
func clip(s string) string {
	const most = 500
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
