package redact

// Secrets that are given to programs by options whose names say nothing.

import (
	"slices"
	"strings"
)

// secretive are programs with options that take a secret.
type secretive struct {
	programs []string
	options  []string
	attached bool     // only joined to the option: mysql -pX
	first    bool     // only as the first option: sshpass -p X ssh -p 22
	login    bool     // after the user's name: -u ada:X
	under    []string // only as a verb of these
}

var secretives = []secretive{
	{programs: []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb"}, options: []string{"-p"}, attached: true},
	{programs: []string{"sshpass"}, options: []string{"-p"}, first: true},
	{programs: []string{"curl"}, options: []string{"-u", "-U", "--user", "--proxy-user"}, login: true},
	{programs: []string{"redis-cli"}, options: []string{"-a", "--pass"}},
	{programs: []string{"mongo", "mongosh", "mongodump"}, options: []string{"-p"}},
	{programs: []string{"ldapsearch", "ldapadd", "ldapmodify"}, options: []string{"-w"}},
	{programs: registries}, // with login, which follows
	{programs: []string{"login"}, options: []string{"-p"}, under: registries},
}

var registries = []string{"docker", "podman", "nerdctl", "buildah", "skopeo", "oc", "az", "helm"}

// wrappers are words that a command may stand behind.
var wrappers = []string{"sudo", "doas", "env", "time", "timeout", "nice", "nohup", "exec", "command", "then", "do", "else", "if", "while", "!"}

// program notes the program whose name begins here. Where it is no command, nothing is
// its option: sudo -u mysql bash -pc.
func (r *reader) program(rest string) {
	n := run(rest[:min(len(rest), 16)], func(c byte) bool { return isWord(c) || c == '-' })
	if n == len(rest) || rest[n] != ' ' && rest[n] != '\t' {
		return
	}
	for i := range secretives {
		s := &secretives[i]
		switch {
		case !slices.Contains(s.programs, rest[:n]):
		case s.under == nil && r.commands(), s.under != nil && r.by != nil && slices.Contains(s.under, r.by.programs[0]):
			r.by, r.since = s, r.at+n
		}
	}
}

// commands reports whether a command begins here, as far as a glance back tells.
func (r *reader) commands() bool {
	at := r.at
	for at > 0 && (isToken(r.in[at-1]) || r.in[at-1] == '/') && r.at-at < longest { // its path
		at--
	}
	if at > 0 && r.in[at-1] == '=' { // A=mysql
		return false
	}
	for range 8 {
		for at > 0 && (r.in[at-1] == ' ' || r.in[at-1] == '\t') && r.at-at < longest {
			at--
		}
		if at == 0 || strings.IndexByte(";|&\n(`'\"{", r.in[at-1]) >= 0 {
			return true
		}
		end := at
		for at > 0 && r.in[at-1] > ' ' && r.at-at < longest {
			at--
		}
		word := r.in[at:end]
		number := word != "" && run(word, isDigit) == len(word)
		if !number && !slices.Contains(wrappers, word) && (!strings.Contains(word, "=") || !isWord(word[0])) {
			return false
		}
	}
	return false
}

// option hides the secret of an option that begins here, and reports whether it did.
func (r *reader) option(rest string) bool {
	if r.by.first && r.since+r.blanks(r.since) != r.at {
		return false
	}
	for _, o := range r.by.options {
		if from, ok := r.valueOf(o, rest); ok && r.by.login {
			return r.password(from, false)
		} else if ok {
			from, to := r.extent(from)
			if to > from {
				r.hide(from, to)
			}
			return to > from
		}
	}
	return false
}

// valueOf is where the value of an option begins that stands at the beginning of rest.
func (r *reader) valueOf(option, rest string) (int, bool) {
	if !strings.HasPrefix(rest, option) || len(rest) == len(option) {
		return 0, false
	}
	at := r.at + len(option)
	gap := r.blanks(at)
	switch {
	case gap == 0 && rest[len(option)] == '=':
		gap = 1
	case gap == 0 && len(option) > 2, gap > 0 && r.by.attached:
		return 0, false
	}
	at += gap
	return at, at < len(r.in) && r.in[at] != '-'
}
