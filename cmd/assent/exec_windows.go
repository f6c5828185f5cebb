package main

// Which signals a program hears, and whose files are private (Windows).

import "os"

// handedOn are the signals that a program hears which is run for somebody.
var handedOn = []os.Signal{os.Interrupt}

// private cannot be told by a file's mode here.
func private(os.FileInfo) bool { return true }
