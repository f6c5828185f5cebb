package policy_test
import ("testing")
func BenchmarkX(b *testing.B){ b.ReportAllocs(); for b.Loop(){ judgeX(`cd /srv/app && git add -A && git commit -m "a message" && npm test 2>&1 | tail -20`) } }
func BenchmarkY(b *testing.B){ b.ReportAllocs(); for b.Loop(){ judgeX(`ls -la src`) } }
