package broker

// What Windows has of its own: its search path, and programs that no shell runs.

import (
	"os"
	"path/filepath"

	"assent"
)

// suffixes of programs. What a command interpreter would run is none.
var suffixes = []string{"", ".exe", ".com"}

func fixed(assent.Places) []string {
	root := os.Getenv("SystemRoot")
	env := []string{"PATH=" + filepath.Join(root, "System32") + ";" + root}
	return set(env, "SystemRoot", "SystemDrive", "USERPROFILE", "USERNAME", "TEMP", "TMP", "ProgramFiles", "LOCALAPPDATA", "APPDATA")
}

func openQuietly(path string) (*os.File, error) { return os.Open(path) }

func startable(os.FileInfo) bool { return true }

func openToAll(os.FileInfo) bool { return false }

func closeOthers() {}

// umask does not exist here.
func umask() string { return "0000" }

// set adds the variables of this process that are set, by their names.
func set(env []string, names ...string) []string {
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// quietly is nothing: no file of a directory is a pipe.
const quietly = 0
