package storetest

// How many random runs there are.

import "flag"

// Runs sets how many random runs the suite makes, unless the command line says
// it (-rapid.checks). Stores that write to a disk are served well with fewer than
// the usual hundred. It is for TestMain.
func Runs(n string) {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "rapid.checks" })
	if !said {
		flag.Set("rapid.checks", n)
	}
}
