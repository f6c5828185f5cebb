package main

// The example, run: what it prints is what the documentation promises.

func Example() {
	main()
	// Output:
	// git status: allow
	// rm -rf build: allow
	// rm -rf build: deny
}
