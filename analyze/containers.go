package analyze

// Containers and walls: what opens the machine to what runs in a container, or
// leaves the place that a process is kept in.

import (
	"slices"
	"strings"

	"assent"
	"assent/programs"
)

var containers = assent.Analyzer{
	Name:  "containers",
	Doc:   "Says which containers are given the machine's own files, devices or rights, and what leaves one.",
	Codes: []string{"infra.privileged", "secret.share"},
	Run: func(c assent.Case) []assent.Finding {
		out := touching(c, "containers", "infra.privileged", walls, "It changes %s, by which what runs in a container may break out of it.")
		each(c, func(cmd assent.Command) {
			find := func(code, target, note string) {
				out = append(out, assent.Finding{By: "containers", Code: code, Target: target, Note: note, Span: cmd.Span})
			}
			switch cmd.Name {
			case "docker", "podman", "nerdctl", "docker-compose", "ctr", "lxc", "crictl":
				containerFacts(c, cmd, find)
			}
			if note := controls(cmd); note != "" {
				find("infra.privileged", "", note)
			}
		})
		return out
	},
}

// walls are files of the kernel that say what runs on the machine itself.
var walls = at("release_agent", "notify_on_release", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hotplug", "/proc/sys/fs/binfmt_misc", "/sys/fs/cgroup", "/sys/kernel", "/proc/*/root", "/proc/*/uid_map", "/proc/*/gid_map", "/proc/*/mem")

// opened are options of a container that give it what is the machine's own, and
// the values with which they do; "*" is any.
var opened = []struct{ names, values, note string }{
	{"pid ipc uts userns cgroupns", "host", "It lets a container see what the machine does."},
	{"net network", "host", "It lets a container use the machine's own network."},
	{"cap-add", "*", "It gives a container rights that others do not have."},
	{"device", "*", "It gives a container a device of the machine."},
	{"security-opt", "apparmor=unconfined seccomp=unconfined label=disable apparmor:unconfined seccomp:unconfined label:disable no-new-privileges=false systempaths=unconfined", "It takes away what keeps a container in its place."},
	{"volumes-from cgroup-parent", "*", "It gives a container what belongs to another."},
}

func containerFacts(c assent.Case, cmd assent.Command, find func(code, target, note string)) {
	a := programs.Read(cmd)
	verb := a.Word(0)
	if verb == "container" {
		verb = a.Word(1)
	}
	for i, w := range cmd.Args {
		name, val, ok := strings.Cut(strings.TrimLeft(w.Value, "-"), "=")
		if !strings.HasPrefix(w.Value, "-") {
			if w.Value != verb && i > 0 && !strings.HasPrefix(cmd.Args[i-1].Value, "-") && verb != "build" && verb != "buildx" {
				break // what follows runs inside
			}
			continue
		}
		if !ok && i+1 < len(cmd.Args) {
			val = likely(cmd.Args[i+1])
		}
		switch {
		case verb == "run" || verb == "create" || verb == "compose":
			for _, o := range opened {
				if has(o.names, name) && (o.values == "*" || has(o.values, val)) {
					find("infra.privileged", val, o.note)
				}
			}
			if name == "v" || name == "volume" || name == "mount" {
				mounted(c, cmd, val, find)
			}
		case name == "build-arg":
			if variable, given, _ := strings.Cut(val, "="); secretName(variable) && given != "" {
				find("secret.share", "", "It builds the secret "+variable+" into an image, where everybody who has it can read it.")
			}
		case name == "secret":
			for part := range strings.SplitSeq(val, ",") {
				if src, ok := strings.CutPrefix(part, "src="); ok {
					if full, _ := absolute(src, cmd.Dir, c.Places); secret(full, c.Places) {
						find("secret.share", full, "It gives the secret "+full+" to what builds an image.")
					}
				}
			}
		}
	}
}

// mounted looks at what of the machine a container can see.
func mounted(c assent.Case, cmd assent.Command, val string, find func(code, target, note string)) {
	src, _, _ := strings.Cut(val, ":")
	for part := range strings.SplitSeq(val, ",") {
		for _, key := range []string{"source=", "src="} {
			if s, ok := strings.CutPrefix(part, key); ok {
				src = s
			}
		}
	}
	if !strings.HasPrefix(src, "/") && !strings.HasPrefix(src, "~") && !strings.HasPrefix(src, ".") {
		return // the name of a volume
	}
	full, _ := absolute(src, cmd.Dir, c.Places)
	switch {
	case isControl(full):
		find("infra.privileged", full, "It gives a container the door of what runs containers, and so the machine.")
	case vital(full, c.Places) || anySpot(systemFiles, full, c.Places) && !assent.Under(full, "/usr/share") && full != "/etc/localtime" && full != "/etc/timezone" && full != "/etc/ssl/certs" && full != "/etc/hosts":
		find("infra.privileged", full, "It lets a container reach "+full+" of the machine.")
	case secret(full, c.Places) || above(full, secretSpots, c.Places):
		find("secret.share", full, "It lets a container reach "+full+", which holds secrets.")
	}
}

// controlDoors are sockets through which everything that runs in containers is
// steered.
var controlDoors = []string{"/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/var/run/containerd/containerd.sock", "/run/podman/podman.sock", "/var/run/crio/crio.sock", "/run/crio/crio.sock", "/var/run/docker", "/run/containerd"}

func isControl(full string) bool { return slices.Contains(controlDoors, full) }

// controls says that a command speaks to what steers containers, past its own
// programs.
func controls(cmd assent.Command) string {
	if talks(cmd) || slices.Contains(blind, cmd.Name) {
		return ""
	}
	for _, w := range cmd.Args {
		_, v, _ := cutOption(w.Value)
		if i := strings.Index(v, ":/"); i > 0 && strings.HasPrefix(strings.ToUpper(v), "UNIX") {
			v = v[i+1:]
		}
		if isControl(v) {
			return "It speaks to the door of what runs containers, and so to all of them."
		}
	}
	if asksWeb(cmd.Name) {
		for _, a := range addresses(cmd) {
			if a.port == "2375" || a.port == "2376" {
				return "It speaks to the door of what runs containers, and so to all of them."
			}
		}
	}
	return ""
}
