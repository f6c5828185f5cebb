package analyze

// Arguments: options and operands of a command, by the habits of its program.

import (
	"strings"

	"assent"
)

// option is one option as given: a letter, or a long name.
type option struct {
	name  string
	value assent.Word
	given bool // with a value
}

type arguments struct {
	options  []option
	operands []assent.Word
}

// valued lists, for programs whose operands matter, the options that take a
// value: letters and long names.
var valued = []struct{ prog, options string }{
	{"git", "C c git-dir work-tree namespace exec-path config-env m F message file author date s strategy depth b branch o push-option u"},
	{"docker", "H host c context config l log-level f file p project-name n name v volume e env w workdir u user network filter"},
	{"podman", "c connection url log-level f file n name v volume e env w workdir u user network filter"},
	{"docker-compose", "f file p project-name H host c context profile"},
	{"kubectl", "n namespace context cluster kubeconfig s server user token as l selector f filename o output k"},
	{"oc", "n namespace context cluster kubeconfig s server user token as l selector f filename o output"},
	{"helm", "n namespace kube-context kubeconfig f values set"},
	{"terraform", ""},
	{"aws", "profile region endpoint-url output query"},
	{"gcloud", "project account configuration zone region format"},
	{"az", "g resource-group n name subscription o output query"},
	{"systemctl", "H host M machine t type s signal n lines o output"},
	{"rm", ""},
	{"cp", "t target-directory S suffix"},
	{"mv", "t target-directory S suffix"},
	{"ln", "t target-directory S suffix"},
	{"install", "t target-directory S suffix m mode o owner g group"},
	{"rsync", "e rsh f filter exclude include exclude-from include-from files-from log-file T temp-dir password-file port bwlimit out-format backup-dir"},
	{"scp", "c F i J l o P S"},
	{"curl", "o output d data data-binary data-raw data-urlencode data-ascii json F form H header X request u user A user-agent e referer T upload-file x proxy b cookie c cookie-jar K config m max-time connect-timeout retry E cert key cacert r range w write-out unix-socket resolve interface url y Y z C"},
	{"wget", "O output-document o output-file a append-output P directory-prefix U user-agent header post-data post-file body-data body-file method t tries T timeout e i input-file D Q w"},
	{"gh", "X method H header f field F raw-field q jq t template R repo hostname"},
	{"chmod", "reference"},
	{"chown", "reference from"},
	{"tar", "f file C directory T X exclude"},
	{"sed", "e expression f file l"},
	{"psql", "c command f file d dbname h host p port U username v set o output"},
	{"mysql", "e execute D database h host P port u user S socket"},
	{"mariadb", "e execute D database h host P port u user S socket"},
	{"mongosh", "eval host port"},
	{"mongo", "eval host port"},
	{"clickhouse-client", "q query h host"},
	{"cqlsh", "e execute"},
	{"sqlcmd", "Q q S d U P"},
	{"snowsql", "q query"},
	{"duckdb", "c"},
	{"usql", "c command"},
	{"mycli", "e execute"},
	{"cockroach", "e execute"},
	{"sqlite3", "cmd init separator"},
	{"ssh", "b c D E e F I i J L l m O o p Q R S W w B"},
	{"kill", "s signal n"},
	{"pkill", "s signal P u U g G t"},
	{"killall", "s signal u user y o"},
	{"tee", ""},
	{"dd", ""},
	{"truncate", "s size r reference"},
	{"sort", "o output k t S T compress-program"},
	{"python", "c m W X"},
	{"python3", "c m W X"},
	{"node", "e eval p print r require import loader input-type"},
	{"perl", "e E I M m"},
	{"ruby", "e I r"},
	{"php", "r f d"},
	{"shred", "n iterations s size"},
	{"crontab", "u"},
	{"nc", "p s w x X i I O e c"},
	{"ncat", "p s w e c exec sh-exec"},
	{"service", ""},
	{"launchctl", ""},
	{"init", "t"},
	{"shutdown", ""},
}

func takesValue(prog string) string {
	for i := range valued {
		if valued[i].prog == prog {
			return valued[i].options
		}
	}
	return ""
}

// has reports whether name stands in a list of words with blanks between.
func has(list, name string) bool {
	if !strings.Contains(list, name) {
		return false
	}
	for list != "" {
		var x string
		x, list, _ = strings.Cut(list, " ")
		if x == name {
			return name != ""
		}
	}
	return false
}

// read splits a command's arguments. What is not known counts as an operand,
// unless it starts as an option does.
func read(c assent.Command) arguments {
	takes := takesValue(c.Name)
	var a arguments
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		v := w.Value
		switch {
		case v == "--" && w.Known:
			a.operands = append(a.operands, c.Args[i+1:]...)
			return a
		case strings.HasPrefix(v, "--") && len(v) > 2:
			name, val, given := strings.Cut(v[2:], "=")
			o := option{name: name, given: given, value: assent.Word{Text: w.Text, Value: val, Known: w.Known}}
			if !given && has(takes, name) && i+1 < len(c.Args) {
				i++
				o.given, o.value = true, c.Args[i]
			}
			a.options = append(a.options, o)
		case strings.HasPrefix(v, "-") && len(v) > 1:
			i = a.cluster(c.Args, i, takes)
		default:
			a.operands = append(a.operands, w)
		}
	}
	return a
}

// cluster reads letters that share one dash and returns the index of the last
// argument it used.
func (a *arguments) cluster(args []assent.Word, i int, takes string) int {
	v := args[i].Value
	for j := 1; j < len(v); j++ {
		o := option{name: v[j : j+1]}
		if has(takes, o.name) {
			o.given = true
			if j+1 < len(v) {
				o.value = assent.Word{Text: args[i].Text, Value: v[j+1:], Known: args[i].Known}
			} else if i+1 < len(args) {
				i++
				o.value = args[i]
			}
			a.options = append(a.options, o)
			return i
		}
		a.options = append(a.options, o)
	}
	return i
}

// option reports whether one of the wanted options is given: "-f --force". Long
// options may be cut short, as most programs allow.
func (a arguments) option(wanted string) bool {
	for wanted != "" {
		var want string
		want, wanted, _ = strings.Cut(wanted, " ")
		want = strings.TrimPrefix(want, "-")
		long := strings.HasPrefix(want, "-")
		want = strings.TrimPrefix(want, "-")
		for i := range a.options {
			have := a.options[i].name
			if have == want || long && len(have) > 2 && strings.HasPrefix(want, have) {
				return true
			}
		}
	}
	return false
}

// values returns the values of options, all of them.
func (a arguments) values(names string) []assent.Word {
	var out []assent.Word
	for _, o := range a.options {
		if o.given && has(names, o.name) {
			out = append(out, o.value)
		}
	}
	return out
}

// word returns the value of an operand, empty when there is none or it is not
// known.
func (a arguments) word(n int) string {
	if n >= len(a.operands) || !a.operands[n].Known {
		return ""
	}
	return a.operands[n].Value
}
