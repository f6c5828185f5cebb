package mcp

// What is live: the grants in the descriptions of the tools, and telling the agent
// when they changed.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// list answers tools/list.
func (c *conn) list(ctx context.Context, m message) (any, *fault) {
	if _, given := m.params["cursor"]; given {
		return nil, faulty(badParams, "cursor: there is one page")
	}
	tools, _ := c.described(ctx) // what is wrong is in the descriptions
	c.seen(tools)
	return map[string]any{"tools": tools}, nil
}

// described are the tools with what is granted of each. An error is in them too.
func (c *conn) described(ctx context.Context) ([]tool, error) {
	live, err := c.server.Grants(ctx)
	list := slices.Clone(c.tools)
	for i, t := range list {
		switch {
		case t.Name == askFor:
		case err != nil:
			list[i].Description += "\n\nWhat is granted could not be looked up: " + sentence(err.Error())
		default:
			list[i].Description += "\n\n" + granted(t.Name, live)
		}
	}
	return list, err
}

// granted lists the grants of one tool. What they cover is in words that an agent may
// have chosen: it is quoted, and what would not be seen is escaped.
func granted(name string, live []Grant) string {
	live = slices.DeleteFunc(slices.Clone(live), func(g Grant) bool { return g.Tool != "" && g.Tool != name })
	if len(live) == 0 {
		return "No grant of it is live now."
	}
	var b strings.Builder
	b.WriteString("Granted now:")
	for i, g := range live {
		if i == maxGrants {
			fmt.Fprintf(&b, "\n- and %d more", len(live)-i)
			break
		}
		text := strconv.QuoteToGraphic(clip(sentence(g.Text), maxText))
		fmt.Fprintf(&b, "\n- %s: %s, uses left: %d, until %s", g.ID, text, g.Left, g.Until.UTC().Format(time.RFC3339))
	}
	return b.String()
}

// seen notes what was listed, and reports whether that is news to an agent that is
// told of changes.
func (c *conn) seen(tools []tool) bool {
	now, err := json.Marshal(tools)
	c.mu.Lock()
	defer c.mu.Unlock()
	news := err == nil && c.ready && c.shown != nil && !bytes.Equal(now, c.shown)
	c.shown = now
	return news
}

// listed reports whether the agent has asked for the tools at all.
func (c *conn) listed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown != nil
}

// changed asks for a look at the grants.
func (c *conn) changed() {
	select {
	case c.look <- struct{}{}:
	default:
	}
}

// watch tells the agent when what its tools are granted has changed.
func (c *conn) watch(ctx context.Context) {
	var tick <-chan time.Time
	if c.server.Every > 0 {
		t := time.NewTicker(c.server.Every)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		case <-c.look:
		}
		if !c.listed() {
			continue
		}
		if tools, err := c.described(ctx); err == nil && c.seen(tools) { // an error is looked at again
			c.write(notice{JSONRPC: "2.0", Method: "notifications/tools/list_changed"})
		}
	}
}
