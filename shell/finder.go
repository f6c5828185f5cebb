package shell

// find: a program of its own that also starts others.

import (
	"strings"

	"assent"
)

// finder emits find itself and starts what -exec and its kin name.
func (w *walker) finder(r run) {
	w.emit(r)
	args := r.words[1:]
	for i := 0; i < len(args); i++ {
		switch args[i].Value {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		end := i + 1
		for end < len(args) && args[end].Value != ";" && !(args[end].Value == "+" && args[end-1].Value == "{}") {
			end++
		}
		inner := run{env: r.env, redirs: r.redirs, dir: r.dir, via: join(r.via, []string{"find"})}
		if strings.HasSuffix(args[i].Value, "dir") {
			inner.dir = ""
		}
		for _, x := range args[i+1 : end] {
			inner.words = append(inner.words, placed(x, "{}", []assent.Word{{}}))
		}
		w.start(inner)
		i = end
	}
}
