package policy_test
import ("testing";"fmt";"os";"bufio";"encoding/json";"context";"time";"sort";"assent";"assent/analyze";"assent/policy")
func judgeX(cmd string)(assent.Decision,assent.Case){
 in,_:=json.Marshal(map[string]string{"command":cmd})
 c:=analyze.Case(assent.Event{Name:assent.PreToolCall,Tool:"shell",Input:in,Dir:"/home/test/project"},assent.Places{Home:"/home/test",Assent:"/home/test/.assent"})
 f,_:=policy.Floor.Judge(context.Background(),c); b,_:=policy.BuiltIn.Judge(context.Background(),c)
 return max(f.Decision,b.Decision),c
}
func TestMeasure(t *testing.T){
 f,_:=os.Open(os.Getenv("CORPUS")); sc:=bufio.NewScanner(f); sc.Buffer(nil,1<<24)
 out,_:=os.Create("/tmp/measure.out")
 cnt:=map[string]map[assent.Decision]int{}; var ds []time.Duration; var n int; var slow []string
 t00:=time.Now()
 for sc.Scan(){ var r struct{Command,Expect string}; json.Unmarshal(sc.Bytes(),&r)
  t0:=time.Now(); d,c:=judgeX(r.Command); e:=time.Since(t0); ds=append(ds,e); n++
  if e>2*time.Millisecond { slow=append(slow,fmt.Sprint(e," ",len(r.Command)," ",r.Command[:min(60,len(r.Command))])) }
  if cnt[r.Expect]==nil {cnt[r.Expect]=map[assent.Decision]int{}}
  cnt[r.Expect][d]++
  s:=""; for _,f:=range c.Findings { s+=f.Code+" " }
  fmt.Fprintf(out,"%s\t%s\t%q\t%s\n",r.Expect,d,r.Command,s)
 }
 tt:=time.Since(t00)
 for k,v:=range cnt { tot:=0; for _,x:=range v {tot+=x}; fmt.Printf("%-10s n=%d pass=%.1f%% ask=%.1f%% deny=%.1f%%\n",k,tot,100*float64(v[0])/float64(tot),100*float64(v[2])/float64(tot),100*float64(v[3])/float64(tot)) }
 sort.Slice(ds,func(i,j int)bool{return ds[i]<ds[j]})
 fmt.Println(n,"median",ds[n/2],"p99",ds[n*99/100],"max",ds[n-1],"rate",float64(n)/tt.Seconds()); for _,s:=range slow{fmt.Println(s)}
}
