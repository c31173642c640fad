package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccExplore_findsWhatIsLeft interrupts an apply of the example in the guide.
func TestAccExplore_findsWhatIsLeft(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	tf.Write(t, "main.tf", read(t, "guides/interruptions/main.tf"))
	tf.Init(t)
	tf.Apply(t)
	tf.Write(t, "account.json", string(w.Export()))
	account, state := w.Export(), tf.Read(t, "terraform.tfstate")
	explore := func(flags string, names ...string) (report string, code int) {
		t.Helper()
		for _, name := range names {
			flags += " -only '" + name + "'"
		}
		out, err := tf.Shell(t, "tunnel-testserver explore -account account.json "+flags+" -- terraform apply -auto-approve -input=false -var=release=2 2>messages",
			search)
		return out, errorCode(err)
	}
	const green, address = `POST /backends/tunnel_group (tunnel_group_backend.app["green"])`, "POST /reserved_addrs (tunnel_reserved_address.spare[0])"
	want := map[string]string{
		green + ":answer-lost": "import", green + ":sigterm": "again", green + ":kill": "left",
		"POST /ssh_credentials (tunnel_ssh_credential.ci):500": "again",
	}
	out, code := explore("-format json", slices.Collect(maps.Keys(want))...)
	var report struct {
		Interruptions []struct {
			Request, Interruption, Class string
			Imports                      []struct{ Address string }
			Missing                      []string
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || len(report.Interruptions) != len(want) {
		t.Fatalf("exit code %d, %v\n%s\n%s", code, err, out, tf.Read(t, "messages"))
	}
	for _, i := range report.Interruptions {
		if name := i.Request + ":" + i.Interruption; i.Class != want[name] || i.Class == "import" && (len(i.Imports) != 1 || i.Imports[0].Address != `tunnel_group_backend.app["green"]`) {
			t.Errorf("%s is %s with the imports %v, want %s", name, i.Class, i.Imports, want[name])
		}
		if i.Interruption == "500" && !slices.Equal(i.Missing, []string{"tunnel_ssh_credential.ci does not exist"}) {
			t.Errorf("between the deletion and the creation of the credential, %q is missing", i.Missing)
		}
	}
	tf.Write(t, "report.md", "of an earlier run")
	if out, code = explore("-strict -format markdown -o report.md", address+":kill"); code != 1 ||
		!strings.HasPrefix(tf.Read(t, "report.md"), "### ") || !strings.Contains(tf.Read(t, "report.md"), "1 leave an object that no state holds") {
		t.Errorf("exit code %d\n%s\n%s", code, out, tf.Read(t, "messages"))
	}
	if _, code = explore("", "kill-all"); code != 2 || !strings.Contains(tf.Read(t, "messages"), green) || !strings.Contains(tf.Read(t, "messages"), "kill") {
		t.Errorf("an unknown name: exit code %d, %s", code, tf.Read(t, "messages"))
	}
	if out, code = explore("-- terraform apply 2>messages #"); code != 3 || out != "Nothing was explored, because the plan has no changes.\n" {
		t.Errorf("an empty plan: exit code %d, %s", code, out)
	}
	if string(w.Export()) != string(account) || tf.Read(t, "terraform.tfstate") != state {
		t.Error("an exploration changed the account or the state")
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAccExplore_actors lets somebody else act during an apply, and leaves out what a
// baseline has.
func TestAccExplore_actors(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	tf.Write(t, "main.tf", read(t, "guides/interruptions/main.tf"))
	tf.Init(t)
	tf.Apply(t)
	const edge, address = "PATCH /edges/tls/tunnel_tls_edge.web", "POST /reserved_addrs (tunnel_reserved_address.spare[0])"
	const command = "tunnel-testserver explore -actors -format %s -only '%s' -- terraform apply -var=release=2 2>messages"
	want := map[string]string{
		edge + ":delete": "again", edge + ":edit-planned": "none", edge + ":edit-other": "undone", edge + ":edit-other-after": "again",
		"POST /ssh_credentials (tunnel_ssh_credential.ci):twin": "import", address + ":twin-after": "none",
		address + ":second-apply": "twice", address + ":saved-plan-after": "twice", address + ":delete": "not reached",
	}
	out, err := tf.Shell(t, fmt.Sprintf(command, "json", strings.Join(slices.Collect(maps.Keys(want)), "' -only '"))+" | tee baseline.json", search)
	var report struct {
		Interruptions []struct{ Request, Interruption, Class, Undone, Wrong, Failure string }
		Keys          []string
	}
	if json.Unmarshal([]byte(out), &report) != nil || err != nil || len(report.Interruptions) != len(want) || len(report.Keys) != 6 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, i := range report.Interruptions {
		name := i.Request + ":" + i.Interruption
		if i.Class != want[name] || (i.Undone == "metadata of tunnel_tls_edge.web") != (i.Class == "undone") {
			t.Errorf("%s is %s, want %s: %+v", name, i.Class, want[name], i)
		}
	}
	out, err = tf.Shell(t, fmt.Sprintf(command, "markdown -baseline baseline.json", edge+":edit-other' -only '"+address+":second-apply"), search)
	if err != nil || !strings.HasPrefix(out, "### tunnel-testserver explore\n\n```text\n0 interruptions") || !strings.Contains(out, "\n2 others are as in the baseline.\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAccExplore_pullRequest reviews a change after another one that is not applied yet,
// without an API key.
func TestAccExplore_pullRequest(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	address := func(name string) string { return "resource \"tunnel_reserved_address\" \"" + name + "\" {}\n" }
	tf.Write(t, "main.tf", acctest.RequiredProviders+address("old"))
	tf.Init(t)
	tf.Apply(t)
	tf.Write(t, "account.json", string(w.Export()))
	tf.Write(t, "review.sh", read(t, "guides/gitops/review.sh"))
	base := t.TempDir()
	for name, content := range map[string]string{"main.tf": acctest.RequiredProviders + address("old") + address("waits"), "terraform.tfstate": tf.Read(t, "terraform.tfstate")} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for change, want := range map[string]string{
		"":             "\n0 interruptions",
		address("new"): "tunnel_reserved_address.new: kill\n",
	} {
		tf.Write(t, "main.tf", acctest.RequiredProviders+address("old")+address("waits")+change)
		out, err := tf.Shell(t, "sh review.sh account.json "+base, search, "TUNNEL_BASE_URL=", "TUNNEL_API_KEY=")
		comment := tf.Read(t, "comment.md")
		if err != nil || strings.Count(comment, "### tunnel-testserver ") != 3 || !strings.Contains(comment, want) || strings.Contains(comment, "address.waits: kill") {
			t.Errorf("%v\n%s\n%s", err, comment, acctest.Summary(out))
		}
	}
}

// TestAccExplore_saysWhatIsOpen stops an apply before the IP restriction of a new route.
func TestAccExplore_saysWhatIsOpen(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	const wait = `"tunnel_https_edge_route_ip_restriction" "admin" {`
	tf.Write(t, "main.tf", strings.Replace(read(t, "guides/traffic/main.tf"), wait, wait+"\n  depends_on = [tunnel_https_edge_route_backend.admin]", 1))
	tf.Init(t)
	tf.Apply(t)
	out, err := tf.Shell(t, "tunnel-testserver explore -only outage -- terraform apply -var=release=2", search)
	const opened = "Open to clients until the next run:\n      https://shop.example.com/admin/ from 198.51.100.7 gets tunnel app=admin: outage\n"
	const missing = "Until the next run:\n      https://shop.example.com/admin/ from 192.0.2.1 gets 404: no backend: outage\n"
	if err != nil || !strings.Contains(out, opened) || !strings.Contains(out, missing) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAccExplore_checksEachPlan has a resource of a foreign provider that only a later
// plan creates: after the first apply, there is an address.
func TestAccExplore_checksEachPlan(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, search := copying(t, w)
	mirror := regexp.MustCompile(`path = "(.*)"`).FindStringSubmatch(tf.Read(t, "terraformrc"))[1]
	tf.Write(t, "main.tf", fmt.Sprintf(`
terraform {
  required_providers {
    tunnel  = { source = "tunnel-service/tunnel" }
    foreign = { source = "foreign/tunnel" }
  }
}
provider "foreign" {
  base_url = %q
  api_key  = %q
}
resource "tunnel_reserved_address" "new" {}
data "tunnel_reserved_addresses" "all" {}
resource "tunnel_tls_edge" "foreign" {
  provider = foreign
  count    = length(data.tunnel_reserved_addresses.all.reserved_addresses)
}
`, w.URL, w.AdminKey))
	tf.Write(t, "account.json", `{"objects": []}`)
	out, err := tf.Shell(t, "cd "+mirror+"/"+acctest.ProviderHost()+" && cp -r tunnel-service foreign && cd - && terraform init -input=false >init.log && "+
		"tunnel-testserver explore -account account.json -only 500 -- terraform apply", search)
	if code := errorCode(err); code != 3 || !acctest.InError("it would change objects of another provider").MatchString(out) {
		t.Errorf("exit code %d: %s", code, acctest.Summary(out))
	}
	if n := w.Stats().Requests["POST /edges/tls"]; n > 0 {
		t.Errorf("the service has %d new edges", n)
	}
}
