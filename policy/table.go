package policy

// The table: what becomes of facts of each code.

import "assent"

// Table is every code that analyzers and the shell package report.
var Table = []Row{
	{"fs.delete.root", FloorTier, assent.Deny, "The system, or everything its user has, would be gone."},
	{"fs.device", FloorTier, assent.Deny, "A disk would be overwritten."},
	{"host.shutdown", FloorTier, assent.Deny, "The machine would stop."},
	{"host.forkbomb", FloorTier, assent.Deny, "The machine would stop answering."},
	{"proc.kill.all", FloorTier, assent.Deny, "Every process would be killed."},
	{"gate.self", FloorTier, assent.Deny, "Nobody who is gated may touch the gate."},
	{"gate.off", FloorTier, assent.Deny, "Nobody who is gated may take the gate away."},

	{"code.unknown", BuiltInTier, assent.Ask, "What would run cannot be known."},
	{"limit", BuiltInTier, assent.Ask, "It was too much to look at, so a part of it was not."},
	{"fs.delete", BuiltInTier, assent.Ask, "Files would be deleted that cannot be brought back."},
	{"fs.format", BuiltInTier, assent.Ask, "A volume may be wiped."},
	{"fs.overwrite", BuiltInTier, assent.Ask, "A file of the system would change."},
	{"fs.perm", BuiltInTier, assent.Ask, "Permissions would be opened up, or changed widely."},
	{"vcs.discard", BuiltInTier, assent.Ask, "Work that is kept nowhere else would be lost."},
	{"vcs.force_push", BuiltInTier, assent.Ask, "What others have pushed may be lost."},
	{"vcs.rewrite", BuiltInTier, assent.Ask, "History would be rewritten."},
	{"vcs.exec", BuiltInTier, assent.Ask, "Git would start another program."},
	{"net.run", BuiltInTier, assent.Ask, "Code nobody has looked at would run."},
	{"net.upload", BuiltInTier, assent.Ask, "Data would leave the machine."},
	{"net.metadata", BuiltInTier, assent.Ask, "Credentials of the machine would be handed out."},
	{"net.shell", BuiltInTier, assent.Ask, "Somebody elsewhere could run commands here."},
	{"net.delete", BuiltInTier, assent.Ask, "Something on another machine would be deleted."},
	{"secret.write", BuiltInTier, assent.Ask, "Who may log in where would change."},
	{"code.preload", BuiltInTier, assent.Ask, "Other code would run inside the programs."},
	{"secret.read", BuiltInTier, assent.Ask, "Secrets would become known to the agent."},
	{"db.drop", BuiltInTier, assent.Ask, "Data would be deleted that cannot be brought back."},
	{"infra.destroy", BuiltInTier, assent.Ask, "Something that others may use would be deleted."},
	{"infra.stop", BuiltInTier, assent.Ask, "Something that others may use would stop."},
	{"infra.change", BuiltInTier, assent.Ask, "Infrastructure would change."},
	{"infra.privileged", BuiltInTier, assent.Ask, "A container would have every right on the machine."},
	{"pkg.publish", BuiltInTier, assent.Ask, "It would be public, for good."},
	{"pkg.remove", BuiltInTier, assent.Ask, "Packages of the system would be removed."},
	{"proc.kill", BuiltInTier, assent.Ask, "Processes would be killed that somebody else may have started."},
	{"host.service", BuiltInTier, assent.Ask, "A service of the machine would stop."},
	{"host.firewall", BuiltInTier, assent.Ask, "A protection of the machine would be taken away."},
	{"host.kernel", BuiltInTier, assent.Ask, "The kernel would change."},
	{"priv.account", BuiltInTier, assent.Ask, "Who may use the machine would change."},
	{"persist", BuiltInTier, assent.Ask, "Code would run later, when nobody looks."},
	{"agent.config", BuiltInTier, assent.Ask, "What an agent may do would change."},

	{"fs.delete.temp", BuiltInTier, assent.None, "What is temporary may be thrown away."},
	{"fs.remove", BuiltInTier, assent.None, "Single named files are deleted all the time."},
	{"fs.write", BuiltInTier, assent.None, "Writing files is an agent's work."},
	{"proc.signal", BuiltInTier, assent.None, "One named process is signalled."},
	{"priv.escalate", BuiltInTier, assent.None, "What is done with the rights is judged by itself."},
	{"code.inline", BuiltInTier, assent.None, "Code of other languages is not read yet."},
	{"code.file", BuiltInTier, assent.None, "Running the project's own files is an agent's work."},
	{"code.unbound", BuiltInTier, assent.None, "A large program is run as it is."},
}
