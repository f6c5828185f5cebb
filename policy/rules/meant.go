package rules

// What a name that nobody knows was meant for.

import (
	"fmt"
	"strings"

	"assent"
)

// Meant says which of the known names a word was meant for, or which there are.
func Meant(word string, known []string) string {
	if k := assent.Nearest(word, known); k != "" {
		return fmt.Sprintf("did you mean %q?", k)
	}
	return "there are " + strings.Join(known, ", ")
}
