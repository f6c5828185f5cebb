package analyze

// Power, processes, services and accounts of the machine.

import (
	"slices"
	"strings"

	"assent"
)

var power = assent.Analyzer{
	Name:  "power",
	Doc:   "Says what stops or restarts the machine.",
	Codes: []string{"host.shutdown"},
	Run: func(c assent.Case) []assent.Finding {
		out := match("power", c, powerRules)
		each(c, func(cmd assent.Command) {
			changed(cmd, func(w assent.Word, _ change) {
				if full, _ := where(cmd, w, c.Places); full == "/proc/sysrq-trigger" || full == "/sys/power/state" {
					out = append(out, assent.Finding{By: "power", Code: "host.shutdown", Target: full, Note: "It tells the kernel to stop or restart the machine.", Span: cmd.Span})
				}
			})
		})
		return out
	},
}

const stops = "It stops or restarts the machine."

var powerRules = []rule{
	{prog: "reboot halt poweroff", not: "--help --version -w --wtmp-only", code: "host.shutdown", note: stops},
	{prog: "shutdown", not: "--help --version -c -k --show", code: "host.shutdown", note: stops},
	{prog: "init telinit", sub: "0|6", code: "host.shutdown", note: stops},
	{prog: "systemctl", sub: "poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|soft-reboot", code: "host.shutdown", note: stops},
	{prog: "systemctl", sub: "isolate|start poweroff.target|reboot.target|halt.target|rescue.target|emergency.target", code: "host.shutdown", note: stops},
	{prog: "loginctl", sub: "poweroff|reboot|halt|suspend|hibernate", code: "host.shutdown", note: stops},
	{prog: "kexec", opt: "-e --exec", code: "host.shutdown", note: stops},
}

var processes = assent.Analyzer{
	Name:  "processes",
	Doc:   "Says which processes are killed.",
	Codes: []string{"proc.kill.all", "proc.kill", "proc.signal"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			f := assent.Finding{By: "processes", Span: cmd.Span}
			switch cmd.Name {
			case "kill":
				f.Code, f.Note = killed(cmd)
			case "pkill", "killall", "killall5", "skill", "slay", "taskkill":
				f.Code, f.Note = killedByName(cmd)
			}
			if f.Code != "" {
				out = append(out, f)
			}
		})
		return out
	},
}

func killed(cmd assent.Command) (code, note string) {
	everyone, asked := false, false
	targets := 0
	if slices.ContainsFunc(cmd.Args, func(w assent.Word) bool { return w.Text == "{}" && !w.Known }) {
		return "proc.kill", "It kills processes that are only found when the command runs."
	}
	for i, w := range cmd.Args {
		switch {
		case w.Value == "-l" || w.Value == "-L" || w.Value == "-0" || w.Value == "--help":
			asked = true
		case w.Value == "-1" && w.Known:
			// the first -1 is a signal when something follows it that can be a target
			everyone = everyone || i > 0 || len(cmd.Args) == 1
		case !strings.HasPrefix(w.Value, "-") || !w.Known:
			targets++
		}
	}
	switch {
	case asked:
		return "", ""
	case everyone && !(cmd.Args[0].Value == "-s" && len(cmd.Args) == 2):
		return "proc.kill.all", "It kills every process that it may."
	case targets > 0:
		return "proc.signal", "It sends a signal to a process."
	}
	return "", ""
}

func killedByName(cmd assent.Command) (code, note string) {
	a := read(cmd)
	if a.option("-l --list -V --version --help -0") {
		return "", ""
	}
	return "proc.kill", "It kills every process of a name."
}

var services = assent.Analyzer{
	Name:  "services",
	Doc:   "Says which services of the machine are stopped or opened up.",
	Codes: []string{"host.service", "host.firewall", "host.kernel", "pkg.remove"},
	Run:   func(c assent.Case) []assent.Finding { return match("services", c, serviceRules) },
}

const unserved = "It stops a service of the machine, or keeps it from starting."

var serviceRules = []rule{
	{prog: "systemctl", sub: "stop|disable|mask|kill|revert|set-default|daemon-reexec|restart|reload-or-restart|try-restart", code: "host.service", note: unserved},
	{prog: "service", sub: "* stop|restart|force-stop", code: "host.service", note: unserved},
	{prog: "rc-service", sub: "* stop|restart", code: "host.service", note: unserved},
	{prog: "launchctl", sub: "unload|bootout|remove|disable|kill|stop", code: "host.service", note: unserved},
	{prog: "sv", sub: "down|stop|force-stop|exit", code: "host.service", note: unserved},
	{prog: "ufw", sub: "disable|reset", code: "host.firewall", note: "It switches the firewall off."},
	{prog: "iptables ip6tables", opt: "-F -X -P --flush --policy --delete-chain", code: "host.firewall", note: "It drops rules of the firewall."},
	{prog: "nft", sub: "flush|delete", code: "host.firewall", note: "It drops rules of the firewall."},
	{prog: "setenforce", sub: "0|Permissive", code: "host.firewall", note: "It switches the kernel's access control off."},
	{prog: "csrutil spctl", sub: "disable", code: "host.firewall", note: "It switches a protection of the system off."},
	{prog: "insmod rmmod", code: "host.kernel", note: "It loads or removes a part of the kernel."},
	{prog: "modprobe", not: "-n --dry-run --show-depends -c", code: "host.kernel", note: "It loads or removes a part of the kernel."},
	{prog: "sysctl", opt: "-w --write -p --load", code: "host.kernel", note: "It changes settings of the kernel."},
	{prog: "apt apt-get aptitude", sub: "remove|purge|autoremove", not: "-s --simulate --dry-run", code: "pkg.remove", note: "It removes packages of the system."},
	{prog: "dnf yum zypper", sub: "remove|erase|autoremove|rm", code: "pkg.remove", note: "It removes packages of the system."},
	{prog: "dpkg", opt: "-r -P --remove --purge", code: "pkg.remove", note: "It removes packages of the system."},
	{prog: "rpm", opt: "-e --erase", code: "pkg.remove", note: "It removes packages of the system."},
	{prog: "pacman", opt: "-R --remove", code: "pkg.remove", note: "It removes packages of the system."},
	{prog: "apk", sub: "del", code: "pkg.remove", note: "It removes packages of the system."},
	{prog: "snap flatpak", sub: "remove|uninstall", code: "pkg.remove", note: "It removes packages of the system."},
}

var accounts = assent.Analyzer{
	Name:  "accounts",
	Doc:   "Says which accounts of the machine are changed.",
	Codes: []string{"priv.account"},
	Run:   func(c assent.Case) []assent.Finding { return match("accounts", c, accountRules) },
}

const account = "It changes an account or a password of the machine."

var accountRules = []rule{
	{prog: "userdel useradd usermod groupdel groupmod gpasswd deluser adduser delgroup chpasswd visudo chsh newusers", not: "--help --version", code: "priv.account", note: account},
	{prog: "passwd", not: "-S --status --help", code: "priv.account", note: account},
	{prog: "dscl", sub: "* -delete|-passwd|-create", code: "priv.account", note: account},
}

var privilege = assent.Analyzer{
	Name:  "privilege",
	Doc:   "Says what runs with the rights of another user.",
	Codes: []string{"priv.escalate"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		for _, cmd := range c.Commands {
			if slices.Contains(raisers, cmd.Name) || slices.ContainsFunc(cmd.Via, func(v string) bool { return slices.Contains(raisers, v) }) {
				out = append(out, assent.Finding{By: "privilege", Code: "priv.escalate", Note: "It runs with the rights of another user.", Span: cmd.Span})
			}
		}
		return out
	},
}

var raisers = []string{"sudo", "doas", "su", "pkexec", "runuser", "gosu", "su-exec"}
