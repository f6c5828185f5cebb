package mem_test

// The store in memory, held to the promises of every store.

import (
	"testing"

	"assent"
	"assent/store/mem"
	"assent/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) assent.Store { return mem.New() })
}
