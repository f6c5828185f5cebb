package analyze

// Containers, clusters, clouds and registries: what destroys there, and what
// cannot be taken back.

import "assent"

var infrastructure = assent.Analyzer{
	Name:  "infrastructure",
	Doc:   "Says what destroys containers, clusters and cloud resources.",
	Codes: []string{"infra.destroy", "infra.stop", "infra.change", "infra.privileged"},
	Run:   func(c assent.Case) []assent.Finding { return match("infrastructure", c, infraRules) },
}

const destroys = "infra.destroy"

var infraRules = []rule{
	{prog: "terraform tofu terragrunt", sub: "destroy", code: destroys, note: "It destroys infrastructure."},
	{prog: "terraform tofu terragrunt", sub: "apply", not: "-h --help", code: "infra.change", note: "It changes infrastructure, which may destroy parts of it."},
	{prog: "terraform tofu", sub: "state rm|push", code: destroys, note: "It changes what Terraform knows of the infrastructure."},
	{prog: "terraform tofu", sub: "workspace delete", code: destroys, note: "It deletes a workspace."},
	{prog: "pulumi", sub: "destroy", code: destroys, note: "It destroys infrastructure."},
	{prog: "pulumi", sub: "stack rm", code: destroys, note: "It deletes a stack."},
	{prog: "cdk serverless sls", sub: "destroy|remove", code: destroys, note: "It destroys infrastructure."},
	{prog: "kubectl oc", sub: "delete|drain|replace", not: "--dry-run --help", code: destroys, note: "It deletes or evicts objects of the cluster."},
	{prog: "kubectl oc", sub: "scale|rollout", opt: "--replicas", code: "infra.stop", note: "It changes how many instances run."},
	{prog: "helm", sub: "uninstall|delete|un|del|rollback", not: "--dry-run", code: destroys, note: "It removes a release from the cluster."},
	{prog: "docker podman", sub: "system|image|volume|network|container|builder|buildx prune", code: destroys, note: "It deletes all that is unused."},
	{prog: "docker podman", sub: "volume|network rm|remove", code: destroys, note: "It deletes volumes or networks with their data."},
	{prog: "docker podman", sub: "rm|rmi", opt: "-f --force -v --volumes", code: destroys, note: "It deletes containers or images by force."},
	{prog: "docker podman", sub: "container|image rm", opt: "-f --force -v --volumes", code: destroys, note: "It deletes containers or images by force."},
	{prog: "docker podman", sub: "stop|kill|restart", not: "--help", code: "infra.stop", note: "It stops containers."},
	{prog: "docker", sub: "stack|service|node|secret|config rm|remove|down", code: destroys, note: "It removes a part of a swarm."},
	{prog: "docker", sub: "swarm leave", code: destroys, note: "It leaves a swarm."},
	{prog: "docker podman", sub: "compose down|rm|kill|stop|restart", code: "infra.stop", note: "It stops or removes the services of a project."},
	{prog: "docker-compose podman-compose", sub: "down|rm|kill|stop|restart", code: "infra.stop", note: "It stops or removes the services of a project."},
	{prog: "docker podman", sub: "run|create", opt: "--privileged", code: "infra.privileged", note: "It starts a container that has every right on the machine."},
	{prog: "aws", sub: "s3 rb|rm", not: "--dryrun --help", code: destroys, note: "It deletes objects or buckets."},
	{prog: "aws", sub: "s3 sync|mv", opt: "--delete", code: destroys, note: "It deletes objects."},
	{prog: "aws", sub: "* delete-*|terminate-*|remove-*|deregister-*|destroy-*|stop-*|purge-*|disable-*|detach-*|schedule-key-deletion|put-bucket-policy", not: "--dry-run --help", code: destroys, note: "It deletes or stops a cloud resource."},
	{prog: "gcloud", sub: "* delete|destroy|remove|stop|reset", not: "--help", code: destroys, note: "It deletes or stops a cloud resource."},
	{prog: "gcloud", sub: "* * delete|destroy|remove*|stop|reset", not: "--help", code: destroys, note: "It deletes or stops a cloud resource."},
	{prog: "gcloud", sub: "* * * delete|destroy|remove*|stop|reset", not: "--help", code: destroys, note: "It deletes or stops a cloud resource."},
	{prog: "gcloud", sub: "* * * * delete|destroy|remove*", not: "--help", code: destroys, note: "It deletes a cloud resource."},
	{prog: "gsutil", sub: "rm|rb", code: destroys, note: "It deletes objects or buckets."},
	{prog: "gsutil", sub: "rsync", opt: "-d", code: destroys, note: "It deletes objects."},
	{prog: "az", sub: "* delete|purge|stop|deallocate", not: "--help", code: destroys, note: "It deletes or stops a cloud resource."},
	{prog: "az", sub: "* * delete|purge|stop|remove|delete-batch", not: "--help", code: destroys, note: "It deletes or stops a cloud resource."},
	{prog: "az", sub: "* * * delete|purge|remove", not: "--help", code: destroys, note: "It deletes a cloud resource."},
	{prog: "doctl", sub: "* delete|destroy", code: destroys, note: "It deletes a cloud resource."},
	{prog: "doctl", sub: "* * delete|destroy", code: destroys, note: "It deletes a cloud resource."},
	{prog: "flyctl fly", sub: "apps|machine|machines|volumes|postgres destroy|delete", code: destroys, note: "It deletes a cloud resource."},
	{prog: "heroku", sub: "apps:destroy|pg:reset|addons:destroy|ps:scale", code: destroys, note: "It deletes a cloud resource."},
	{prog: "vercel netlify firebase wrangler railway supabase", sub: "delete|rm|remove|down|sites:delete|firestore:delete|projects:delete", code: destroys, note: "It deletes what is deployed."},
	{prog: "wrangler", sub: "* delete", code: destroys, note: "It deletes what is deployed."},
	{prog: "wrangler", sub: "* * delete", code: destroys, note: "It deletes what is deployed."},
	{prog: "vagrant", sub: "destroy", code: destroys, note: "It deletes a virtual machine."},
	{prog: "virsh", sub: "destroy|undefine|vol-delete|pool-delete", code: destroys, note: "It stops or deletes a virtual machine."},
	{prog: "velero", sub: "backup|schedule|restore delete", code: destroys, note: "It deletes a backup."},
	{prog: "restic borg", sub: "forget|prune|delete", not: "-n --dry-run", code: destroys, note: "It deletes backups."},
	{prog: "vault", sub: "kv|secrets|auth|policy|token delete|destroy|disable|revoke|metadata", code: destroys, note: "It deletes or revokes secrets."},
	{prog: "ansible ansible-playbook", not: "-h -C --check --list-tasks --list-hosts --syntax-check --version --help", code: "infra.change", note: "It changes other machines."},
	{prog: "rclone", sub: "delete|purge|sync|deletefile|rmdirs", not: "-n --dry-run", code: destroys, note: "It deletes what is stored elsewhere."},
	{prog: "consul etcdctl", sub: "kv|del delete|*", code: destroys, note: "It deletes keys of a shared store."},
}

var publishing = assent.Analyzer{
	Name:  "publishing",
	Doc:   "Says what publishes a package or release, which cannot be taken back.",
	Codes: []string{"pkg.publish"},
	Run:   func(c assent.Case) []assent.Finding { return match("publishing", c, publishRules) },
}

const publishes = "It publishes for everyone, which cannot be taken back."

var publishRules = []rule{
	{prog: "npm pnpm yarn bun", sub: "publish|unpublish|deprecate", not: "--dry-run --help", code: "pkg.publish", note: publishes},
	{prog: "yarn", sub: "npm publish", code: "pkg.publish", note: publishes},
	{prog: "cargo", sub: "publish|yank", not: "-n --dry-run --help", code: "pkg.publish", note: publishes},
	{prog: "gem", sub: "push|yank", code: "pkg.publish", note: publishes},
	{prog: "twine", sub: "upload", code: "pkg.publish", note: publishes},
	{prog: "poetry uv hatch flit pdm", sub: "publish", not: "--dry-run", code: "pkg.publish", note: publishes},
	{prog: "docker podman", sub: "push", code: "pkg.publish", note: "It pushes an image to a registry."},
	{prog: "gh", sub: "release create|upload", code: "pkg.publish", note: publishes},
	{prog: "goreleaser", sub: "release", not: "--snapshot --skip", code: "pkg.publish", note: publishes},
}
