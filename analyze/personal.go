package analyze

// What belongs to people and lies outside of the work: their own folders, the
// homes of others, and the settings of their programs.

import (
	"path"
	"slices"
	"strings"

	"assent"
)

var personal = assent.Analyzer{
	Name:  "personal",
	Doc:   "Says what is changed that belongs to people, or read of their own: folders, others' homes, settings of their programs.",
	Codes: []string{"fs.personal", "fs.settings", "fs.private"},
	Run: func(c assent.Case) []assent.Finding {
		var out []assent.Finding
		each(c, func(cmd assent.Command) {
			from := len(out)
			changed(cmd, func(w assent.Word, how change) {
				full := near(cmd, w, c.Places)
				if full == "" || c.Dir != "" && assent.Under(full, c.Dir) {
					return
				}
				if code, note := personalNote(full, w, how, c.Places); code != "" {
					out = append(out, assent.Finding{By: "personal", Code: code, Target: full, Note: note, Span: cmd.Span})
				}
			})
			shownBy(cmd, func(w assent.Word) {
				full := near(cmd, w, c.Places)
				changes := slices.ContainsFunc(out[from:], func(f assent.Finding) bool { return f.Target == full })
				if kept(full, c) && !changes {
					out = append(out, assent.Finding{By: "personal", Code: "fs.private", Target: full, Note: "It reads " + called(full, w) + ", among what the user keeps for themselves.", Span: cmd.Span})
				}
			})
		})
		return out
	},
}

// ownFolders are those of a home in which people keep what is theirs.
var ownFolders = []string{"Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos", "Movies", "Public", "Library", "Dropbox", "OneDrive", "Google Drive", "iCloud Drive", "Nextcloud", "Sync"}

// keptFolders are those of a home that hold what people write and take pictures of.
var keptFolders = []string{"Desktop", "Documents", "Pictures", "Photos", "Dropbox", "OneDrive", "Google Drive", "iCloud Drive", "Nextcloud", "Library/Mobile Documents", "Library/CloudStorage"}

// kept reports whether full is a file in such a folder, and the work is not.
func kept(full string, c assent.Case) bool {
	rest, ok := homes(full, c.Places)
	if !ok || assent.Under(full, c.Dir) {
		return false
	}
	own := strings.TrimSuffix(full, rest)
	return slices.ContainsFunc(keptFolders, func(folder string) bool {
		return begins(rest, folder) && rest != folder && !assent.Under(c.Dir, own+folder)
	})
}

// ownPrograms hold programs that the user starts by their names.
var ownPrograms = at("~/.local/bin", "~/bin", "~/.cargo/bin", "~/go/bin", "~/.npm-global/bin", "~/.bun/bin", "~/.deno/bin", "~/.nvm", "~/.pyenv", "~/.rbenv", "~/.asdf", "~/.sdkman")

func personalNote(full string, w assent.Word, how change, p assent.Places) (code, note string) {
	rest, ok := homes(full, p)
	if dir := path.Dir(full); (dir == "/home" || dir == "/Users") && full != home(p) && p.Home != "" && how == write {
		return "fs.personal", "It changes " + called(full, w) + ", the home of somebody else."
	}
	if !ok || rest == "" {
		return "", ""
	}
	first, more, _ := strings.Cut(rest, "/")
	switch {
	case how == createDir && assent.Under(full, home(p)):
		return "", ""
	case slices.Contains(ownFolders, first) && !strings.HasPrefix(rest, "Library/Caches"):
		return "fs.personal", "It changes " + called(full, w) + ", among the user's own files."
	case !assent.Under(full, home(p)) && p.Home != "":
		return "fs.personal", "It changes " + called(full, w) + ", in the home of somebody else."
	case anySpot(ownPrograms, full, p):
		return "fs.personal", "It changes " + called(full, w) + ", among the programs that the user starts."
	case first[0] != '.' || first == ".cache" || strings.HasSuffix(first, "-backup") || strings.HasSuffix(first, ".bak"):
		return "", ""
	case how == unpack && first != ".local":
		return "fs.settings", "It unpacks an archive into " + called(full, w) + ", which holds settings of the user's programs."
	case anySpot(persistSpots, full, p) || anySpot(agentSpots, full, p) || anySpot(keySpots, full, p) || assent.Under(full, assentHome(p)):
		return "", "" // facts of their own
	case settingsFile(path.Base(full)) && (more != "" || strings.HasSuffix(first, "rc")):
		return "fs.settings", "It changes " + called(full, w) + ", which holds settings of the user's programs."
	}
	return "", ""
}

// settingNames are what files with settings are called, without their endings.
var settingNames = []string{"config", "settings", "preferences", "policy", "policies", "rules", "permissions", "allowlist", "denylist", "trust", "hooks", "profile", "credentials", "auth", "token", "tokens"}

// settingsFile reports whether a file's name is one that settings have.
func settingsFile(base string) bool {
	name, ending, dotted := strings.Cut(base, ".")
	if dotted && slices.Contains([]string{"bak", "backup", "old", "orig", "tmp", "log"}, ending[strings.LastIndexByte(ending, '.')+1:]) {
		return false
	}
	return slices.Contains(settingNames, name) || strings.HasSuffix(base, "rc") && strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".conf")
}
