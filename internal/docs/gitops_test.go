package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// A step is one command of an example pipeline.
type step struct {
	Uses, Run string
	Env       map[string]string
}

// steps returns the steps of an example pipeline, in order.
func steps(t *testing.T, name string) []step {
	t.Helper()
	type script struct{ Script []string }
	var pipeline struct {
		Jobs map[string]struct { // GitHub Actions
			Env   map[string]string
			Steps []step
		}
		Default struct {
			Before []string `yaml:"before_script"`
		} // GitLab CI
		Plan, Apply script
	}
	if err := yaml.Unmarshal([]byte(read(t, path.Join("guides/gitops", name))), &pipeline); err != nil {
		t.Fatal(err)
	}
	var all []step
	for _, run := range slices.Concat(pipeline.Default.Before, pipeline.Plan.Script, pipeline.Apply.Script) {
		all = append(all, step{Run: run})
	}
	for _, job := range pipeline.Jobs {
		if len(job.Env) > 0 {
			t.Errorf("%s gives all steps the variables %v", name, job.Env)
		}
		all = append(all, job.Steps...)
	}
	if len(all) < 2 {
		t.Errorf("%s has %d steps", name, len(all))
	}
	return all
}

var pipelines = []string{"plan.yml", "apply.yml", "drift.yml", "gitlab-ci.yml"}

// pipeline runs the shell steps of an example pipeline until one fails. The target
// branch has the scripts of the guide.
func pipeline(t *testing.T, tf *acctest.Terraform, name string, environment ...string) (out string, err error) {
	t.Helper()
	return pipelineOf(t, tf, name, false, environment...)
}

// pipelineOf is pipeline, for a repository that has the files of the configuration if
// committed is true.
func pipelineOf(t *testing.T, tf *acctest.Terraform, name string, committed bool, environment ...string) (out string, err error) {
	t.Helper()
	environment = append([]string{"GITHUB_BASE_REF=main", "CI_DEFAULT_BRANCH=main", "RUNNER_TEMP=" + t.TempDir(), "TARGET=" + t.TempDir()}, environment...)
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	tf.Write(t, "check.sh", read(t, "guides/gitops/check.sh"))
	if out, err := tf.Shell(t, `
		git init -q -b main "$TARGET"
		mv gate.sh check.sh "$TARGET"
		git -C "$TARGET" add .
		git -C "$TARGET" -c user.name=a -c user.email=a@b.test commit -qm scripts
		echo 'exit 0' | tee gate.sh >check.sh # the pull request changes both
		rm -rf .git
		[ -e .terraform/own ] || rm -rf .terraform
		git init -q -b change
		[ -z "$COMMITTED" ] || git add -f .
		git remote add origin "$TARGET"`, append(environment, map[bool]string{true: "COMMITTED=yes", false: "COMMITTED="}[committed])...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, step := range steps(t, name) {
		if name == "apply.yml" || strings.HasPrefix(step.Run, "sh gate.sh") { // after the merge
			tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
			tf.Write(t, "check.sh", read(t, "guides/gitops/check.sh"))
		}
		if out, err = tf.Shell(t, step.Run, environment...); err != nil {
			return step.Run + "\n" + out, err
		}
	}
	return out, nil
}

// pipelineTerraform prepares an example for pipelines: Terraform installs the
// provider from a mirror, and the address and key of the test server are in the
// environment.
func pipelineTerraform(t *testing.T, w *acctest.Env, name string) *acctest.Terraform {
	t.Helper()
	tf := mirrored(t, w)
	example := read(t, name)
	writeFiles(t, tf, example)
	if strings.Contains(example, "required_providers") {
		tf.Write(t, "main.tf", example)
	} else {
		tf.Write(t, "example.tf", example)
	}
	return tf
}

// mirrored returns Terraform that installs the provider from a mirror. The address and
// key of the test server are in the environment.
func mirrored(t *testing.T, w *acctest.Env) *acctest.Terraform {
	t.Helper()
	tf, program := acctest.Installed(t, "")
	mirror := t.TempDir()
	folder := filepath.Join(mirror, filepath.FromSlash(acctest.ProviderAddress()), "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(program, filepath.Join(folder, "terraform-provider-tunnel_v0.1.0"+filepath.Ext(program))); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "terraformrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror { path = %q }\n}\n", filepath.ToSlash(mirror)))
	tf.Setenv(map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey})
	return tf
}

func TestGitOps_onlyTerraformGetsTheKey(t *testing.T) {
	t.Parallel()
	pinned, holders := regexp.MustCompile(`^[\w/-]+@[0-9a-f]{40}$`), 0
	for _, name := range pipelines {
		for _, step := range steps(t, name) {
			if step.Uses != "" && !pinned.MatchString(step.Uses) {
				t.Errorf("%s: %s is not pinned to a commit", name, step.Uses)
			}
			if step.Env["TUNNEL_API_KEY"] == "" {
				continue
			}
			holders++
			for command := range strings.Lines(step.Run) {
				if !strings.HasPrefix(command, "terraform plan ") && !strings.HasPrefix(command, "terraform apply ") {
					t.Errorf("%s: %q gets the API key", name, command)
				}
			}
		}
	}
	if holders != 4 {
		t.Errorf("%d steps get the API key", holders)
	}
}

// approveLaptop approves the only change of Getting started that needs it.
const approveLaptop = "APPROVE_CHANGES=tunnel_ssh_credential.laptop"

func TestAccGitOps_pipelines(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	for _, name := range pipelines {
		key := map[string]string{"plan.yml": w.ReadOnlyKey, "drift.yml": w.ReadOnlyKey}[name] // they only read
		if out, err := pipeline(t, tf, name, approveLaptop, "TUNNEL_API_KEY="+cmp.Or(key, w.AdminKey)); err != nil {
			t.Errorf("%s: %v\n%s", name, err, acctest.Summary(out))
		}
	}
	for _, name := range []string{"plan.yml", "gitlab-ci.yml"} {
		if out, err := pipeline(t, tf, name, approveLaptop, "GITHUB_BASE_REF=none", "CI_DEFAULT_BRANCH=none"); err == nil {
			t.Errorf("%s passes without the scripts of the target branch:\n%s", name, acctest.Summary(out))
		}
	}
	for _, backend := range w.List("/backends/failover") {
		w.Edit("/backends/failover/"+backend["id"].(string), `{"description": "by hand"}`)
	}
	if out, err := pipeline(t, tf, "drift.yml"); err == nil || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(out, "by hand") {
		t.Errorf("drift is not found: %v\n%s", err, acctest.Summary(out))
	}
}

// TestAccGitOps_checkBeforeProviders checks that a pull request can neither choose the
// host that gets the API key, nor run a program of its own before or in the plan.
func TestAccGitOps_checkBeforeProviders(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	const block = "provider \"tunnel\" {\n  alias    = \"other\"\n  base_url = \"https://evil.example.com\"\n}\n"
	const own = acctest.RequiredProviders // in a module
	plugin := filepath.Join("plugins", filepath.FromSlash(acctest.ProviderAddress()), "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
	for name, test := range map[string]struct {
		files      map[string]string
		shell      string
		want, base string // in the message; the name of the file that has base_url
	}{
		"comment":         {files: map[string]string{"comment.tf": strings.Replace(block, "base_url", "base_url /* prod */", 1)}, base: "./comment.tf"},
		"escape":          {files: map[string]string{"escape.tf.json": `{"provider": {"tunnel": [{"alias": "other", "base\u005furl": "https://evil.example.com"}]}}`}, base: "./escape.tf.json"},
		"override":        {files: map[string]string{"x.tf": "provider \"tunnel\" {\n  alias = \"other\"\n}\n", "x_override.tf": block}, base: "./x_override.tf"},
		"OpenTofu":        {files: map[string]string{"other.tofu": block}, base: "./other.tofu"},
		"link":            {files: map[string]string{"other.txt": block}, shell: "ln -s other.txt link.tf", base: "./link.tf"},
		"module":          {files: map[string]string{"m/main.tf": own + block, "call.tf": "module \"m\" {\n  source = \"./m\"\n}\n"}, base: "m/main.tf"},
		"module outside":  {files: map[string]string{"call.tf": "module \"m\" {\n  source = \"../outside\"\n}\n"}, shell: "mkdir ../outside && echo '" + own + block + "' >../outside/main.tf", base: "../outside/main.tf"},
		"remote module":   {files: map[string]string{"call.tf": "module \"m\" {\n  source = \"git::file://ELSEWHERE/module\"\n}\n"}, shell: "git init -q $ELSEWHERE/module && cd $ELSEWHERE/module && echo '" + own + block + "' >main.tf && git add . && git -c user.name=a -c user.email=a@b.test commit -qm module", base: ".terraform/modules/m/main.tf"},
		"other provider":  {files: map[string]string{"call.tf": "module \"m\" {\n  source = \"./m\"\n}\n", "m/main.tf": "terraform {\n  required_providers {\n    evil = { source = \"evil.example.com/tunnel-service/tunnel\" }\n  }\n}\n"}, shell: "mkdir -p $MIRROR/evil.example.com/tunnel-service && cp -r $MIRROR/" + acctest.ProviderAddress() + " $MIRROR/evil.example.com/tunnel-service/", want: "the provider evil.example.com/tunnel-service/tunnel is not in the list"},
		"own plugin":      {shell: "mkdir -p terraform.d/" + plugin + " && echo '#!/bin/sh\ntouch $OLDPWD/ran' >terraform.d/" + plugin + "/terraform-provider-tunnel_v0.1.0 && chmod +x terraform.d/" + plugin + "/*", want: "would run programs of the repository"},
		"own initialized": {shell: "mkdir -p .terraform/providers && touch .terraform/own", want: "would run programs of the repository"},
	} {
		t.Run(name, func(t *testing.T) {
			before, elsewhere := files(t, tf.Dir), t.TempDir()
			for file, content := range test.files {
				if err := os.MkdirAll(filepath.Join(tf.Dir, filepath.Dir(file)), 0o700); err != nil {
					t.Fatal(err)
				}
				tf.Write(t, file, strings.ReplaceAll(content, "ELSEWHERE", elsewhere))
			}
			mirror := regexp.MustCompile(`path = "(.*)"`).FindStringSubmatch(tf.Read(t, "terraformrc"))[1]
			commit := "cd " + tf.Dir + "; rm -rf .terraform; " + test.shell + "\ncd " + tf.Dir + "; git init -q .; git add -f .; git -c user.name=a -c user.email=a@b.test commit -qm change"
			if out, err := tf.Shell(t, commit, "ELSEWHERE="+elsewhere, "MIRROR="+filepath.FromSlash(mirror)); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			pipelines := []string{"plan.yml"}
			if name == "comment" || name == "own initialized" { // one for each way to check out and stop
				pipelines = append(pipelines, "gitlab-ci.yml")
			}
			for _, name := range pipelines {
				out, err := pipelineOf(t, tf, name, true)
				if test.base != "" && (!strings.Contains(out, test.base+":") || !strings.Contains(out, "Set TUNNEL_BASE_URL in the pipeline instead")) {
					t.Errorf("%s: expected a stop because of %s, got %v:\n%s", name, test.base, err, acctest.Summary(out))
				}
				if err == nil || !strings.Contains(out, test.want) {
					t.Errorf("%s: expected a stop because %s, got %v:\n%s", name, test.want, err, acctest.Summary(out))
				}
			}
			for _, file := range files(t, tf.Dir) {
				if !slices.Contains(before, file) && !strings.Contains(file, string(filepath.Separator)+".git"+string(filepath.Separator)) {
					os.Remove(file)
				}
			}
		})
	}
	if total := w.Stats().Total; total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}

// TestAccGitOps_gateStopsChanges plans changes of a configuration that is applied, with
// one change that the gate must stop and one that it must let pass for each rule.
func TestAccGitOps_gateStopsChanges(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := w.Terraform(t, "")
	tf.Needs(t, acctest.WriteOnlyArguments)
	writeCertificate(t, tf, ".")
	const rule = `{ name = "office", expressions = ["conn.client_port > 1"], actions = [{ type = "restrict-ips", config = jsonencode({ allow = ["192.0.2.0/24", "198.51.100.0/24"], deny = ["192.0.2.7"] }) }] }`
	const config = `
terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_tls_certificate" "www" {
  certificate_pem            = file("www.example.com.pem")
  private_key_pem_wo         = file("www.example.com.key")
  private_key_pem_wo_version = 1
}
resource "tunnel_ssh_certificate_authority" "ca" {}
resource "tunnel_reserved_domain" "www" { domain = "www.example.com" }
resource "tunnel_reserved_address" "db" {}
resource "tunnel_https_edge" "www" {}
resource "tunnel_group_backend" "web" { labels = { app = "web" } }
resource "terraform_data" "late" { input = "1" }
resource "tunnel_tls_edge" "app" {}
resource "tunnel_tls_edge" "other" {}
resource "tunnel_tls_edge_policy" "app" {
  edge_id = tunnel_tls_edge.app.id
  inbound = [
    { name = "bad", expressions = ["conn.client_ip == '192.0.2.1'"], actions = [{ type = "log" }, { type = "deny" }] },
    RULE,
  ]
}
resource "tunnel_tcp_edge" "db" {}
resource "tunnel_tcp_edge_policy" "db" {
  edge_id = tunnel_tcp_edge.db.id
  enabled = false
  inbound = [{ expressions = [], actions = [{ type = "deny" }] }]
}
resource "tunnel_bot_user" "ci" { name = "ci" }
resource "tunnel_ssh_credential" "ci" {
  public_key = "KEY1"
  acl        = ["bind:a.example.com", "bind:b.example.com"]
}
resource "tunnel_bot_user" "off" {
  name   = "off"
  active = false
}
resource "terraform_data" "rotation" { input = "replaced_by = 1" }
resource "tunnel_api_key" "caller" {
  store_token = true
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.rotation]
  }
}
resource "tunnel_api_key" "spaced" {
  for_each    = toset(["a b"])
  store_token = true
}
resource "tunnel_ip_policy" "office" {}
resource "tunnel_ip_policy" "other" {}
resource "tunnel_ip_policy_rule" "allowed" {
  ip_policy_id = tunnel_ip_policy.office.id
  action       = "allow"
  cidr         = "192.0.2.0/24"
}
resource "tunnel_ip_policy_rule" "denied" {
  ip_policy_id = tunnel_ip_policy.office.id
  action       = "deny"
  cidr         = "192.0.2.7/32"
}
resource "tunnel_tls_edge_ip_restriction" "app" {
  edge_id       = tunnel_tls_edge.app.id
  ip_policy_ids = [tunnel_ip_policy.office.id]
}
resource "tunnel_tls_edge" "token" {}
resource "tunnel_tls_edge_policy" "token" {
  edge_id = tunnel_tls_edge.token.id
  inbound = [{ expressions = [], actions = [{ type = "jwt-validation" }] }]
}
resource "tunnel_tls_edge" "nobody" {}
resource "tunnel_tls_edge_policy" "nobody" {
  edge_id = tunnel_tls_edge.nobody.id
  inbound = [{ expressions = [], actions = [{ type = "restrict-ips" }] }]
}
resource "tunnel_ssh_credential" "bot" {
  public_key = "KEY3"
  acl        = ["bind:bot.example.com"]
  owner_id   = tunnel_bot_user.ci.id
}
resource "tunnel_api_key" "ci" {
  owner_id    = tunnel_bot_user.ci.id
  store_token = true
  lifecycle { replace_triggered_by = [terraform_data.late] }
}
`
	botKey, ciKey := testcert.PublicKey(t, "bot"), testcert.PublicKey(t, "one")
	base := strings.NewReplacer("RULE", rule, "KEY1", ciKey, "KEY3", botKey).Replace(config)
	tf.Write(t, "provider.tf", w.Config(""))
	tf.Write(t, "main.tf", base)
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	if out, err := tf.Shell(t, "terraform plan -input=false -out=p && APPROVE_CHANGES='tunnel_tls_edge_policy.token\r\n tunnel_ssh_credential.bot\ntunnel_ssh_credential.ci\ntunnel_ip_policy_rule.allowed\ntunnel_api_key.ci\ntunnel_api_key.caller\n\ntunnel_api_key.spaced[\"a b\"]' sh gate.sh p && terraform apply -input=false p"); err != nil {
		t.Fatalf("the other objects of a first plan need no approval: %v\n%s", err, acctest.Summary(out))
	}
	without := func(kind, name string) func(string) string {
		block := regexp.MustCompile(`(?ms)^resource "` + kind + `" "` + name + `" \{(\}$|[^\n]*\}$|$.*?^\}$)`)
		return func(config string) string { return block.ReplaceAllString(config, "") }
	}
	replace := func(pairs ...string) func(string) string {
		return func(config string) string {
			for i := 0; i < len(pairs); i += 2 {
				if !strings.Contains(config, pairs[i]) {
					t.Fatalf("%q is not in the configuration", pairs[i])
				}
				config = strings.Replace(config, pairs[i], pairs[i+1], 1)
			}
			return config
		}
	}
	add := func(text string) func(string) string { return func(config string) string { return config + text } }
	newKey := testcert.PublicKey(t, "two")
	credential := func(rest string) func(string) string {
		return add("resource \"tunnel_ssh_credential\" \"new\" {\n  public_key = \"" + newKey + "\"\n" + rest + "\n}\n")
	}
	denied := regexp.MustCompile(`(?s)resource "tunnel_ip_policy_rule" "denied" \{.*?\n\}\n`).FindString(base)
	const limited = "acl = [\"bind:new.example.com\"]\n"
	const policy, ssh = "tunnel_tls_edge_policy.app: ", "tunnel_ssh_credential."
	const unknownAction = "its rules change, and the action (known after apply) may let people in"
	late := func(pairs ...string) func(string) string {
		return replace(append(pairs, `input = "1"`, `input = "2"`)...)
	}
	for name, test := range map[string]struct {
		change func(string) string
		want   string // empty if the plan passes
	}{
		"certificate deleted":    {without("tunnel_tls_certificate", "www"), "tunnel_tls_certificate.www: it is deleted or replaced"},
		"certificate described":  {replace("private_key_pem_wo_version", "description = \"new\"\n  private_key_pem_wo_version"), ""},
		"everything destroyed":   {replace(base, acctest.RequiredProviders), policy + "its rules are removed"},
		"policy moved":           {replace("edge_id = tunnel_tls_edge.app.id", "edge_id = tunnel_tls_edge.other.id"), policy + "its rules are removed"},
		"policy disabled":        {replace("edge_id = tunnel_tls_edge.app.id", "edge_id = tunnel_tls_edge.app.id\n  enabled = false"), policy + "it is or may be disabled"},
		"policy may be disabled": {replace("edge_id = tunnel_tls_edge.app.id", "edge_id = tunnel_tls_edge.app.id\n  enabled = terraform_data.late.output == \"2\"", `input = "1"`, `input = "2"`), policy + "it is or may be disabled"},
		"disabled deleted":       {without("tunnel_tcp_edge_policy", "db"), ""},
		"rule removed":           {replace(rule+",", ""), policy + "the rule office is removed, or may deny less"},
		"rule renamed":           {replace(`name = "office"`, `name = "headquarters"`), ""},
		"rules exchanged":        {replace(rule+",", "", "{ name = \"bad\"", rule+",\n{ name = \"bad\""), ""},
		"expression narrower":    {replace("conn.client_port > 1", "conn.client_port > 2"), policy + "the rule office"},
		"expression for all":     {replace(`["conn.client_port > 1"]`, "[]"), ""},
		"expression unknown":     {replace(`["conn.client_port > 1"]`, `["conn.client_port > ${terraform_data.late.output}"]`, `input = "1"`, `input = "2"`), policy + "the rule"},
		"action now logs":        {replace(`{ type = "deny" }]`, `{ type = "log" }]`), policy + "the rule bad"},
		"log removed":            {replace(`{ type = "log" }, `, ""), ""},
		"restriction denies all": {replace(regexp.MustCompile(`\{ type = "restrict-ips".*\) \}`).FindString(rule), `{ type = "deny" }`), ""},
		"allow list grows":       {replace(`"198.51.100.0/24"]`, `"198.51.100.0/24", "203.0.113.0/24"]`), policy + "the rule office"},
		"allow list shrinks":     {replace(`, "198.51.100.0/24"]`, `]`), ""},
		"allow list empty":       {replace(`["192.0.2.0/24", "198.51.100.0/24"]`, `[]`), policy + "the rule office"},
		"allow list removed":     {replace(`allow = ["192.0.2.0/24", "198.51.100.0/24"], `, ""), policy + "the rule office"},
		"deny list shrinks":      {replace(`deny = ["192.0.2.7"]`, `deny = []`), policy + "the rule office"},
		"deny list grows":        {replace(`deny = ["192.0.2.7"]`, `deny = ["192.0.2.7", "192.0.2.8"]`), ""},
		"not enforced":           {replace(`jsonencode({ allow`, `jsonencode({ enforce = false, allow`), policy + "the rule office"},
		"action moved": {
			replace(`inbound = [{ expressions = [], actions = [{ type = "jwt-validation" }] }]`, `outbound = [{ expressions = [], actions = [{ type = "jwt-validation" }] }]`),
			"tunnel_tls_edge_policy.token: ",
		},
		"config unknown": {
			replace(`type = "jwt-validation" }`, `type = "jwt-validation", config = jsonencode({ off = terraform_data.late.output }) }`, `input = "1"`, `input = "2"`),
			"tunnel_tls_edge_policy.token: its rules change",
		},
		"first config unknown": {
			late(`actions = [{ type = "restrict-ips" }]`, `actions = [{ type = "restrict-ips", config = jsonencode({ allow = [terraform_data.late.output] }) }]`),
			"tunnel_tls_edge_policy.nobody: the rule [] is removed, or may deny less",
		},
		"actions unknown":           {late("inbound = [\n", "inbound = [\n{ expressions = [], actions = jsondecode(terraform_data.late.output) },\n"), policy + unknownAction},
		"type unknown":              {late("inbound = [\n", "inbound = [\n{ expressions = [], actions = [{ type = jsondecode(terraform_data.late.output) }] },\n"), policy + unknownAction},
		"other rules unknown":       {late("  inbound = [\n", "  outbound = jsondecode(terraform_data.late.output)\n  inbound = [\n"), policy + unknownAction},
		"all rules unknown":         {late("enabled = false\n  inbound = [{ expressions = [], actions = [{ type = \"deny\" }] }]", "inbound = jsondecode(terraform_data.late.output)"), "tunnel_tcp_edge_policy.db: " + unknownAction},
		"rules of a new policy":     {late("resource \"tunnel_bot_user\" \"ci\"", "resource \"tunnel_tls_edge_policy\" \"other\" {\n  edge_id = tunnel_tls_edge.other.id\n  inbound = jsondecode(terraform_data.late.output)\n}\nresource \"tunnel_bot_user\" \"ci\""), "tunnel_tls_edge_policy.other: " + unknownAction},
		"deny with an unknown name": {late(`name = "office"`, `name = terraform_data.late.output`), ""},
		"address denied":            {replace(`"192.0.2.0/24"`+"\n}", `"192.0.2.0/24"`+"\n}\n"+strings.Replace(denied, "denied", "more", 1)), ""},
		"address allowed":           {add(strings.NewReplacer("denied", "more", `"deny"`, `"allow"`).Replace(denied)), "tunnel_ip_policy_rule.more: it may allow 192.0.2.7/32"},
		"denied no longer":          {without("tunnel_ip_policy_rule", "denied"), "tunnel_ip_policy_rule.denied: it no longer denies 192.0.2.7/32"},
		"allowed no longer":         {without("tunnel_ip_policy_rule", "allowed"), ""},
		"range changed":             {replace(`"192.0.2.0/24"`+"\n}", `"0.0.0.0/0"`+"\n}"), "tunnel_ip_policy_rule.allowed: it changes"},
		"restriction deleted":       {without("tunnel_tls_edge_ip_restriction", "app"), "tunnel_tls_edge_ip_restriction.app: it is removed"},
		"restriction disabled":      {replace("  ip_policy_ids", "  enabled = false\n  ip_policy_ids"), "tunnel_tls_edge_ip_restriction.app: it is or may be disabled"},
		"restriction extended":      {replace("[tunnel_ip_policy.office.id]", "[tunnel_ip_policy.office.id, tunnel_ip_policy.other.id]"), "tunnel_tls_edge_ip_restriction.app: its IP policies change"},
		"bot user active again":     {replace(`"tunnel_bot_user" "off" {`, `"tunnel_bot_user" "off" { # on`, "active = false", "active = true"), "tunnel_bot_user.off: its API keys work again"},
		"key of the caller rotated": {replace("replaced_by = 1", "replaced_by = 2"), "tunnel_api_key.caller: it may be for another owner"},
		"owner removed": {
			func(config string) string {
				return replace("  owner_id   = tunnel_bot_user.ci.id\n", "", botKey, newKey)(config)
			}, ssh + "bot: it may be for another owner",
		},
		"acl removed":            {replace(`acl        = ["bind:a.example.com", "bind:b.example.com"]`, ""), ssh + "ci: it has or may have no restrictions"},
		"acl with everything":    {replace(`"bind:b.example.com"]`, `"*"]`), ssh + "ci: it has or may have no restrictions"},
		"acl with a new rule":    {replace(`"bind:b.example.com"]`, `"bind:c.example.com"]`), ssh + "ci: its acl has the new rule bind:c.example.com"},
		"acl with less":          {replace(`, "bind:b.example.com"]`, `]`), ""},
		"acl unknown":            {replace(`"bind:b.example.com"]`, `"bind:${terraform_data.late.output}.example.com"]`, `input = "1"`, `input = "2"`), ssh + "ci: it has or may have no restrictions"},
		"API key, new":           {add("resource \"tunnel_api_key\" \"new\" {\n  store_token = true\n}\n"), "tunnel_api_key.new: it is a new API key"},
		"API key, rotated":       {replace(`input = "1"`, `input = "2"`), ""},
		"API key, other":         {replace("owner_id    = tunnel_bot_user.ci.id", "owner_id    = \""+w.AdminOwner+"\""), "tunnel_api_key.ci: it is for the owner " + w.AdminOwner},
		"API key, owner removed": {late("  owner_id    = tunnel_bot_user.ci.id\n", ""), "tunnel_api_key.ci: it may be for another owner"},
		"API key, recipient":     {late("resource \"tunnel_api_key\" \"spaced\" {", "resource \"tunnel_api_key\" \"spaced\" {\n  token_recipient = terraform_data.late.output"), "tunnel_api_key.spaced[\"a b\"]: its token_recipient changes"},
		"credential, open":       {credential(""), ssh + "new: it has or may have no restrictions"},
		"credential, limited":    {credential(limited), ssh + "new: it is a new SSH credential"},
		"credential, other key":  {replace(ciKey, newKey), ssh + "ci: its public_key changes"},
		"credential, new owner": {
			func(config string) string {
				return credential(limited+"owner_id = tunnel_bot_user.new.id")(config) + "resource \"tunnel_bot_user\" \"new\" { name = \"new\" }\n"
			}, ssh + "new: it may be for another owner",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "main.tf", test.change(base))
			if out, err := tf.Shell(t, "terraform plan -input=false -refresh=false -out=p"); err != nil || strings.Contains(out, "No changes") {
				t.Fatalf("%v\n%s", err, acctest.Summary(out))
			}
			out, err := tf.Shell(t, "sh gate.sh p")
			if (err == nil) != (test.want == "") || !strings.Contains(out, test.want) {
				t.Errorf("expected %q, got %v:\n%s", test.want, err, acctest.Summary(out))
			}
			if name == "everything destroyed" {
				for kind := range strings.FieldsSeq("tls_certificate.www ssh_certificate_authority.ca reserved_domain.www reserved_address.db https_edge.www tls_edge.app tcp_edge.db") {
					if !strings.Contains(out, "tunnel_"+kind+": it is deleted or replaced\n") {
						t.Errorf("%s is missing:\n%s", kind, out)
					}
				}
			}
		})
	}
}

// TestAccGitOps_approval checks who can approve what, in the pipelines that plan and in
// those that apply.
func TestAccGitOps_approval(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "resources/tunnel_tls_certificate/resource.tf")
	if out, err := pipeline(t, tf, "apply.yml"); err != nil { // creating a certificate needs no approval
		t.Fatalf("%v\n%s", err, acctest.Summary(out))
	}
	chain, key := testcert.Certificate(t, "www.example.com")
	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	state := tf.Read(t, "terraform.tfstate")
	for name, approvals := range map[string][]string{
		"plan.yml": {"", "false", "tunnel_tls_certificate.www2\ntunnel_tls_certificate", `tunnel_https_edge_route.r["x tunnel_tls_certificate.www y"]`, "tunnel_other.a tunnel_tls_certificate.www", "tunnel_other.a,tunnel_tls_certificate.www"}, "apply.yml": {""}, "gitlab-ci.yml": {""},
	} {
		for _, approved := range approvals {
			if out, err := pipeline(t, tf, name, "APPROVE_CHANGES="+approved); err == nil || !strings.Contains(out, "These changes need approval:\ntunnel_tls_certificate.www: it is deleted or replaced") {
				t.Errorf("%s, approved %q: expected a stop, got %v:\n%s", name, approved, err, acctest.Summary(out))
			}
		}
	}
	if tf.Read(t, "terraform.tfstate") != state {
		t.Error("a pipeline has applied a change that was not approved")
	}
	// The job apply of GitLab, without its job plan.
	applies := steps(t, "gitlab-ci.yml")
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	if out, err := tf.Shell(t, applies[len(applies)-2].Run); err == nil {
		t.Errorf("the job apply does not stop:\n%s", out)
	}
	if out, err := pipeline(t, tf, "plan.yml", "APPROVE_CHANGES=true"); err != nil {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
	if out, err := pipeline(t, tf, "apply.yml", "APPROVE_CHANGES=tunnel_other.a\ntunnel_tls_certificate.www"); err != nil || tf.Read(t, "terraform.tfstate") == state {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
}

// TestAccGitOps_noHomeAndNoFiles checks that the provider writes no files and
// needs no home directory.
func TestAccGitOps_noHomeAndNoFiles(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, key := testcert.Certificate(t, "www.example.com")
	tf, _ := acctest.Installed(t, `
resource "tunnel_tls_certificate" "www" {
  certificate_pem            = file("www.pem")
  private_key_pem_wo         = file("www.key")
  private_key_pem_wo_version = 1
}
`)
	tf.Write(t, "www.pem", chain)
	tf.Write(t, "www.key", key)
	temporary := t.TempDir()
	tf.Setenv(map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey, "TMPDIR": temporary})
	tf.Unsetenv("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
	plan := filepath.Join(t.TempDir(), "plan")
	if err := os.Chmod(tf.Dir, 0o500); err != nil {
		t.Fatal(err)
	}
	before := files(t, tf.Dir)
	tf.Plan(t, "-out="+plan, "-lock=false")
	planned := tf.Run(t, "show", "-json", plan)
	for _, secret := range append(strings.Split(strings.TrimSpace(key), "\n")[1:], w.AdminKey) {
		if !strings.Contains(secret, "-----") && strings.Contains(planned, secret) {
			t.Error("the plan in JSON holds a secret")
		}
	}
	var parsed struct {
		Changes []any `json:"resource_changes"`
	}
	_, members, _ := strings.Cut(planned, "{") // the dev_overrides warning may come first
	if err := json.Unmarshal([]byte("{"+members), &parsed); err != nil || len(parsed.Changes) != 1 {
		t.Errorf("%d changes in the plan: %v", len(parsed.Changes), err)
	}
	if err := os.Chmod(tf.Dir, 0o700); err != nil { //nolint:gosec // a directory
		t.Fatal(err)
	}
	if after := files(t, tf.Dir); !slices.Equal(after, before) {
		t.Errorf("the plan left files: %v, before %v", after, before)
	}
	if left := files(t, temporary); len(left) > 0 {
		t.Errorf("the plan left temporary files: %v", left)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
