// Command empty does nothing: the bare start of a Go program, to measure against.
package main

func main() {}
