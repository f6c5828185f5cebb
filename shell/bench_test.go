package shell

// How fast Parse is: over the corpus when it is there, and on texts made to be
// slow.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// paddings are texts that hide a dangerous command in bulk, or are nothing but
// bulk.
var paddings = []struct{ name, text string }{
	{"before", strings.Repeat("true;", 25_000) + "rm -rf /"},
	{"after", "rm -rf /;" + strings.Repeat("true;", 25_000)},
	{"differing", numbered("printf x-%;", 25_000) + "rm -rf /"},
	{"background", strings.Repeat("a&", 25_000) + "rm -rf /"},
	{"lines", strings.Repeat("\n", 25_000) + "rm -rf /"},
	{"commands", strings.Repeat("a\n", 25_000) + "rm -rf /"},
	{"and", strings.Repeat("true&&", 25_000) + "rm -rf /"},
	{"or", strings.Repeat("false||", 25_000) + "rm -rf /"},
	{"pipe", strings.Repeat("a|", 25_000) + "rm -rf /"},
	{"assignments", numbered("a%=x;", 10_000) + "rm -rf /"},
	{"word", strings.Repeat("x", 500_000)},
	{"words", strings.Repeat("x ", 250_000)},
	{"argument", "rm -rf / " + strings.Repeat("x", 500_000)},
	{"quoted", "echo '" + strings.Repeat("x", 500_000) + "'; rm -rf /"},
	{"quotes", "echo " + strings.Repeat("''", 100_000) + "; rm -rf /"},
	{"escapes", "echo " + strings.Repeat(`\x`, 100_000) + "; rm -rf /"},
	{"comment", "#" + strings.Repeat("x", 500_000) + "\nrm -rf /"},
	{"heredoc", "cat <<E\n" + strings.Repeat("x\n", 100_000) + "E\nrm -rf /"},
	{"subshells", strings.Repeat("(", 5_000) + "rm -rf /" + strings.Repeat(")", 5_000)},
	{"spaced subshells", strings.Repeat("( ", 5_000) + "rm -rf /" + strings.Repeat(" )", 5_000)},
	{"groups", strings.Repeat("{ ", 5_000) + "rm -rf /;" + strings.Repeat(" };", 5_000)},
	{"negations", strings.Repeat("! ", 5_000) + "rm -rf /"},
	{"substitutions", strings.Repeat("$(", 5_000) + "rm -rf /" + strings.Repeat(")", 5_000)},
	{"quoted substitutions", strings.Repeat(`echo "$(`, 5_000) + "rm -rf /" + strings.Repeat(`)"`, 5_000)},
	{"open substitutions", strings.Repeat("$(", 100_000)},
	{"backquotes", "echo " + strings.Repeat("`a` ", 20_000) + ";rm -rf /"},
	{"expansions", "echo " + strings.Repeat("$a", 50_000) + ";rm -rf /"},
	{"nested expansions", "echo " + strings.Repeat("${a:-", 5_000) + "x" + strings.Repeat("}", 5_000) + ";rm -rf /"},
	{"braces", "echo {" + strings.Repeat("a,", 50_000) + "b};rm -rf /"},
	{"nested braces", "echo " + strings.Repeat("{a,", 5_000) + "b" + strings.Repeat("}", 5_000) + ";rm -rf /"},
	{"brace product", "echo " + strings.Repeat("{a,b}", 40) + ";rm -rf /"},
	{"many brace words", strings.Repeat("echo {1..500};", 2_000) + ";rm -rf /"},
	{"arithmetic", "echo $((" + strings.Repeat("(", 5_000) + "1" + strings.Repeat(")", 5_000) + "));rm -rf /"},
	{"sum", "echo $((" + strings.Repeat("1+", 50_000) + "1));rm -rf /"},
	{"tests", "[[ " + strings.Repeat("! ", 5_000) + "x ]];rm -rf /"},
	{"conditions", strings.Repeat("if a;then ", 5_000) + "rm -rf /;" + strings.Repeat("fi;", 5_000)},
	{"loops", strings.Repeat("for i in 1 2 3 4;do ", 12) + "rm -rf /;" + strings.Repeat("done;", 12)},
	{"functions", numbered("f%(){ a;};", 10_000) + "rm -rf /"},
	{"calls", doublings(30)},
	{"redirections", "a " + strings.Repeat(">x ", 50_000) + ";rm -rf /"},
	{"evals", strings.Repeat("eval ", 25_000) + "rm -rf /"},
	{"eval texts", strings.Repeat("eval 'a;b;c';", 10_000) + "rm -rf /"},
	{"sudos", strings.Repeat("sudo ", 25_000) + "rm -rf /"},
	{"exports", numbered("export a%=x;", 3_000) + strings.Repeat("b;", 3_000) + "rm -rf /"},
	{"growing", "a=x;" + strings.Repeat("a=$a$a;", 40) + "rm -rf / $a"},
	{"arrays", "a=({1..500});" + strings.Repeat("b ${a[@]};", 2_000) + "rm -rf /"},
	{"quoted texts", nested("rm -rf /", 11)},
	{"cases", "case x in " + strings.Repeat("a) b;;", 20_000) + "esac;rm -rf /"},
	{"bytes", "rm -rf / " + strings.Repeat("\xff\xfe", 100_000)},
	{"returns", strings.Repeat("a\r", 25_000) + "rm -rf /"},
	{"parsed before", "$x;" + strings.Repeat("true;", 25_000) + "rm -rf /"},
	{"parsed words", "$x " + strings.Repeat("x ", 65_000)},
	{"parsed pipes", "$x" + strings.Repeat("|a", 65_000)},
	{"parsed lists", "$x" + strings.Repeat("||a", 43_000)},
	{"parsed lines", "$x\n" + strings.Repeat("a\n", 65_000)},
	{"parsed quotes", "$x " + strings.Repeat(`""`, 65_000)},
	{"parsed patterns", "case $x in " + strings.Repeat("a);;", 32_000) + "esac"},
	{"parsed expansions", strings.Repeat("$a", 65_000)},
	{"parsed redirections", "$x" + strings.Repeat(">a", 65_000)},
	{"parsed heredocs", strings.Repeat("a<<a;", 8_000) + "\n" + strings.Repeat("a\n", 8_000)},
	{"parsed open heredocs", numbered("a<<b%;", 13_000)},
	{"parsed quotes in lists", "$x;" + strings.Repeat("a 'b' \"c\";", 11_000) + "rm -rf /"},
	{"parsed assignments", "$x;" + strings.Repeat("a=;", 43_000)},
	{"parsed array", "a=(" + strings.Repeat("a ", 65_000) + ")"},
	{"parsed arithmetic", "((" + strings.Repeat("a+", 65_000) + "a))"},
	{"parsed test", "[[ a" + strings.Repeat("&&a", 43_000) + " ]]"},
	{"parsed globs", "$x " + strings.Repeat("@(a)", 32_000)},
	{"parsed substitutions", "$x " + strings.Repeat("$(a)", 32_000)},
	{"parsed functions", strings.Repeat("a()b;", 26_000)},
	{"parsed subshells", strings.Repeat("(a);", 32_000)},
	{"parsed ifs", strings.Repeat("if a;then b;fi;", 8_700)},
	{"parsed elifs", "if a;then b;" + strings.Repeat("elif a;then b;", 9_300) + "fi"},
	{"parsed declarations", "declare " + strings.Repeat("a=b ", 32_000)},
	{"parsed comments", strings.Repeat("$x #a\n", 18_000)},
	{"parsed non-ASCII", "$x " + strings.Repeat("\u00e9", 65_000)},
	{"deep then long", strings.Repeat("$(", 100) + strings.Repeat("a;", 60_000)},
	{"too long", strings.Repeat("true;", 400_000) + "rm -rf /"},
	{"too long to parse", "$x;" + strings.Repeat("true;", 100_000) + "rm -rf /"},
}

// numbered repeats text with a number in place of %.
func numbered(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "%", itoa(i)))
	}
	return b.String()
}

// doublings is functions of which each calls the next twice.
func doublings(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("f" + itoa(i) + "(){ f" + itoa(i+1) + "; f" + itoa(i+1) + ";};")
	}
	return b.String() + "f0; rm -rf /"
}

// nested wraps text into sh -c, again and again.
func nested(text string, n int) string {
	for range n {
		text = "sh -c '" + strings.ReplaceAll(text, "'", `'"'"'`) + "'"
	}
	return text
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func BenchmarkPadding(b *testing.B) {
	for _, p := range paddings {
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(p.text)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(p.text, "/work", "/home/ada")
			}
		})
	}
}

func BenchmarkCorpus(b *testing.B) {
	lines := corpus(b, "commands.jsonl")
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		Parse(lines[n%len(lines)].Command, "/work", "/home/ada")
		n++
	}
}

// row is one line of the corpus.
type row struct {
	Command string   `json:"command"`
	Expect  string   `json:"expect"`
	Inner   []string `json:"inner"`
}

// corpus reads a file of the corpus, or skips.
func corpus(t testing.TB, name string) []row {
	t.Helper()
	dir := os.Getenv("ASSENT_CORPUS")
	if dir == "" {
		dir = "../../shared/corpus"
	}
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("the corpus is not here (ASSENT_CORPUS names its folder): %v", err)
	}
	var rows []row
	for line := range strings.Lines(string(raw)) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}
