package assent

// What a name that nobody knows was meant for.

import "strings"

// Nearest returns the known name that a word was most likely meant for: the one
// with the fewest letters to change, add or leave out, if those are few beside its
// length. Capitals do not count. Empty if none is near.
func Nearest(word string, known []string) string {
	best, fewest := "", 0
	for _, k := range known {
		few := max(min(2, len(k)-1), len(k)*2/5)
		if d := distance(strings.ToLower(k), strings.ToLower(word)); d <= few && (best == "" || d < fewest) {
			best, fewest = k, d
		}
	}
	return best
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
