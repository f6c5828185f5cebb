//go:build !race

package storetest

// Without the race detector.

const raced = false
