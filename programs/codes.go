package programs

// The codes that the files of knowledge may use, and what each says.

// codes are the facts of which the knowledge can speak, each with the end of a
// sentence that begins with the program.
var codes = []struct{ code, says string }{
	{"net.read", "asks another machine for something"},
	{"net.send", "sends something to another machine"},
	{"net.upload", "sends data to another machine"},
	{"net.listen", "waits for connections from other machines"},
	{"net.shell", "lets somebody elsewhere run commands here"},
	{"net.run", "runs what it has just downloaded"},
	{"net.attack", "attacks or probes other machines"},
	{"net.delete", "deletes something on another machine"},
	{"fs.write", "writes files"},
	{"fs.make", "makes only what can be made again"},
	{"fs.remove", "deletes files"},
	{"fs.delete", "deletes files that cannot be brought back"},
	{"fs.format", "formats or wipes a volume"},
	{"fs.overwrite", "changes files of the system"},
	{"fs.perm", "opens up permissions"},
	{"vcs.change", "changes the repository"},
	{"vcs.undoable", "changes the repository in a way that one command undoes"},
	{"vcs.push", "changes what others share"},
	{"vcs.discard", "throws away work that is kept nowhere else"},
	{"vcs.push.main", "changes the branch that everybody shares"},
	{"vcs.force_push", "overwrites or deletes what others have pushed"},
	{"vcs.rewrite", "rewrites history"},
	{"vcs.unchecked", "skips the checks that the project has set up"},
	{"vcs.exec", "has another program started"},
	{"code.file", "runs what files of the project say"},
	{"code.check", "runs the project's own tests or checks"},
	{"code.inline", "runs code that stands in the command"},
	{"code.unknown", "runs what cannot be known"},
	{"code.preload", "has programs run other code first"},
	{"code.steer", "steers other programs of the user"},
	{"pkg.install", "installs packages, whose code may run"},
	{"pkg.restore", "installs what files of the project already name"},
	{"pkg.foreign", "installs what nobody vouches for"},
	{"pkg.remove", "removes packages of the system"},
	{"pkg.publish", "publishes, which cannot be taken back"},
	{"shell.state", "changes what later commands get from the shell"},
	{"proc.start", "starts programs"},
	{"proc.signal", "signals a process"},
	{"proc.kill", "kills processes"},
	{"proc.kill.all", "kills every process"},
	{"host.change", "changes settings of this machine"},
	{"host.service", "stops a service of this machine"},
	{"host.exhaust", "uses up the machine"},
	{"host.traces", "removes the record of what was done"},
	{"host.clipboard", "reads or replaces what was copied last"},
	{"host.network", "changes how this machine reaches others"},
	{"host.firewall", "takes a protection of this machine away"},
	{"host.kernel", "changes the kernel"},
	{"host.shutdown", "stops or restarts the machine"},
	{"priv.account", "changes who may use the machine"},
	{"priv.escalate", "runs with the rights of another user"},
	{"persist", "makes code run later"},
	{"agent.config", "changes what an agent may do"},
	{"secret.read", "prints secrets"},
	{"secret.write", "changes secrets or who may log in"},
	{"db.read", "reads a database"},
	{"db.setup", "sets up the project's own database"},
	{"db.change", "changes a database"},
	{"db.drop", "deletes data that cannot be brought back"},
	{"infra.run", "runs or starts containers or machines"},
	{"infra.local", "changes a simulator or emulator of this machine"},
	{"infra.edit", "creates or changes something that others may use"},
	{"infra.change", "changes infrastructure, which may destroy parts of it"},
	{"infra.stop", "stops what others may use"},
	{"infra.destroy", "deletes what others may use"},
	{"infra.privileged", "gives a container every right on the machine"},
	{"prog.unknown", "does what is not known"},
}

// Codes are the codes of the knowledge.
func Codes() []string {
	out := make([]string, len(codes))
	for i := range codes {
		out[i] = codes[i].code
	}
	return out
}

// Says is the end of a sentence about a program that does what the code means.
func Says(code string) string {
	for i := range codes {
		if codes[i].code == code {
			return codes[i].says
		}
	}
	return code
}
