package rules

// What a name that nobody knows was meant for.

import (
	"fmt"
	"strings"
)

// Meant says which of the known names a word was meant for, or which there are.
func Meant(word string, known []string) string {
	for _, k := range known {
		if distance(k, strings.ToLower(word)) <= min(2, len(k)-1) {
			return fmt.Sprintf("did you mean %q?", k)
		}
	}
	return "there are " + strings.Join(known, ", ")
}

// distance is how many letters must be changed, added or left out to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
