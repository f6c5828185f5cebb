package analyze

// Vague facts: what is known of a program in general, where another analyzer has
// said of the same command what it is done to.

import (
	"slices"
	"strings"

	"assent"
)

// vague are the codes with which the knowledge says no more than "files" or "the
// machine", and the codes that say more.
var vague = map[string][]string{
	"fs.write":    {"fs.overwrite", "fs.personal", "fs.settings", "fs.device", "fs.format", "fs.empty", "fs.perm", "fs.perm.root", "persist", "agent.config", "secret.write", "gate.self"},
	"fs.perm":     {"fs.perm.root"},
	"fs.remove":   {"fs.delete", "fs.delete.root", "fs.delete.temp", "fs.device"},
	"fs.delete":   {"fs.delete.root", "fs.device"},
	"fs.format":   {"fs.device"},
	"host.change": {"fs.device", "fs.format", "fs.delete", "fs.overwrite", "persist", "host.network"},
	"proc.signal": {"proc.kill", "proc.kill.all"},
	"proc.kill":   {"proc.kill.all"},
	"db.change":   {"db.drop", "db.change.all"},
	"db.read":     {"db.change", "db.drop", "db.change.all"},
}

// pathless are codes whose target says nothing that a rule asks for.
func pathless(code string) bool { return !strings.HasPrefix(code, "fs.") }

// precise drops each fact of the knowledge beside which another analyzer says the
// same of the same command, or anybody something more exact.
func precise(all []assent.Finding) []assent.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f assent.Finding) bool {
		return f.By == knowledge && slices.ContainsFunc(all, func(o assent.Finding) bool {
			return o.Span == f.Span && (o.Target != "" || pathless(f.Code)) && (o.By != f.By && o.Code == f.Code || slices.Contains(vague[f.Code], o.Code))
		})
	})
}
