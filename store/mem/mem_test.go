package mem_test

import (
	"testing"

	"assent"
	"assent/store/mem"
	"assent/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) assent.Store { return mem.New() })
}
