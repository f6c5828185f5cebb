package analyze

// Vague facts: what is known of a program in general, where another analyzer has
// said of the same command what it is done to.

import (
	"slices"

	"assent"
)

// vague are the codes with which the knowledge says no more than "files", and the
// codes that say more.
var vague = map[string][]string{
	"fs.write":    {"fs.write", "fs.overwrite", "fs.personal", "fs.settings", "fs.device", "persist", "agent.config", "secret.write", "gate.self"},
	"fs.remove":   {"fs.remove", "fs.delete", "fs.delete.root", "fs.delete.temp", "fs.device"},
	"proc.signal": {"proc.signal", "proc.kill", "proc.kill.all"},
	"proc.kill":   {"proc.kill", "proc.kill.all"},
	"net.read":    {"net.read"},
}

// precise drops each vague fact beside which a more exact one stands.
func precise(all []assent.Finding) []assent.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f assent.Finding) bool {
		exact := vague[f.Code]
		return f.By == "programs" && slices.ContainsFunc(all, func(o assent.Finding) bool {
			return o.By != f.By && o.Span == f.Span && o.Target != "" && slices.Contains(exact, o.Code)
		})
	})
}
