package broker

// Finding a program, by the search path that it is given.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assent"
)

// find returns where a program is: a name with a slash counts from the directory on, any
// other is looked for in the directories of path.
func find(name, dir, path string) (string, error) {
	if strings.ContainsRune(name, '/') || strings.ContainsRune(name, filepath.Separator) {
		return absolute(name, dir), nil
	}
	for _, in := range filepath.SplitList(path) {
		for _, suffix := range suffixes {
			full := filepath.Join(in, name+suffix)
			if info, err := os.Stat(full); filepath.IsAbs(in) && err == nil && info.Mode().IsRegular() && startable(info) {
				return full, nil
			}
		}
	}
	return "", fmt.Errorf("there is no program %s in %s; name it by its path: %w", name, path, assent.ErrNotFound)
}
