package analyze

// Whose a file is: where owners are not looked at, nobody's.

func onesOwn(string) bool { return false }
