package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPadX(t *testing.T) {
	n := 128 << 10
	for _, f := range []string{"a||", "a=1||", "a=1||b=2&&", "export a=1;", "export a=1;b=2 c;", ">a ", "{ b>x;} >a ", "export A1=1 A2=2 A3=3;b=1 c;", "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;x=$x$x;echo $x;", "(", "((", "$(", "{ ", "if ", "while ", "\"${a:-", "${a:-", "$((", "a&&", "a|", "<<a ", "`", "\"$(", "case x in x) ", "f() ", "true;", "x", "x ", "$[", "<(", "a[", "{a,", "time ", "${a[", "select x in y; do ", "for x in y; do ", "$((a?", "((a=(", "x=$x$x;", "x=1;(x=2);", "{1..9}", "{1,2}{1,2}", "a=1&&", "$(a)", "$(b=1;a)", "a<<x\nx\n", "for i in 1 2 3 4 5 6 7 8;do ", "f(){ f;};f;", "eval ", "sudo ", "sh -c '", "a||b=1;", "~ ", "[[ a ]];", "if a;then b=1;fi;", "b=1;for i in $c;do ", "$a ", "${b/c/d}", "'(' "} {
		s := strings.Repeat(f, n/len(f))
		t0 := time.Now()
		r := Parse(s, "/w", "/h")
		fs := ""
		for _, f := range r.Findings {
			fs += f.Code + " "
		}
		if len(fs) > 50 {
			fs = fs[:50]
		}
		fmt.Printf("%-22q %8v cmds=%d %d %s\n", f, time.Since(t0).Round(time.Microsecond*100), len(r.Commands), len(r.Findings), fs)
	}
}
