//go:build race

package storetest

// Under the race detector.

// raced is whether the race detector watches: everything takes ten times as long.
const raced = true
