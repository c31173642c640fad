package crud_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const group = "tunnel_group_backend"

// texts returns summaries and details.
func texts(found []*tfprotov6.Diagnostic) string {
	var all strings.Builder
	for _, d := range found {
		all.WriteString(d.Severity.String() + ": " + d.Summary + "\n" + d.Detail + "\n")
	}
	return all.String()
}

// A creation that finds the object of another resource must not advise to import it:
// then two resources would undo each other's changes.
func TestCreate_ofAnObjectThatAnotherResourceHas(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const kind = "tunnel_ssh_credential"
	create := func(p *acctest.Protocol, key string) string {
		_, diags := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.FromJSON(p.Type(kind), map[string]any{"public_key": key}))
		return texts(diags)
	}
	p, key := w.Protocol(t), testcert.PublicKey(t, "")
	if text := create(p, key); text != "" {
		t.Fatal(text)
	}
	if text := create(p, key); !strings.Contains(text, "If this configuration manages it already, do not import it") {
		t.Errorf("a resource of the same run: %s", text)
	}
	if text := create(w.Protocol(t), key); !acctest.InError("An SSH credential with this public_key already exists: sshcr_", "it was created manually",
		"terraform import tunnel_ssh_credential.NAME sshcr_", "do not import it", "same public_key", "moved block", "The service returned: ").MatchString(text) {
		t.Errorf("a resource of an earlier run: %s", text)
	}
}

// The error of a module that is set names its parent, and quotes no response.
func TestCreate_ofAModuleThatIsSet(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const kind = "tunnel_tls_edge_policy"
	keys := acctest.KindOf(t, kind).Create(t, w)
	p := w.Protocol(t)
	_, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.FromJSON(p.Type(kind), map[string]any{"edge_id": keys["edge_id"], "inbound": []any{}}))
	text := texts(found)
	if !acctest.InError("A TLS edge policy with edge_id = \""+keys["edge_id"]+"\" already exists", "terraform import "+kind+".NAME "+keys["edge_id"], "same edge_id").MatchString(text) ||
		strings.Contains(text, "The service returned") {
		t.Error(text)
	}
}

// Two routes that exchange their paths need a way out. An update that keeps its path, or
// lacks permission, has failed for another reason.
func TestUpdate_toAKeyThatAnotherObjectHas(t *testing.T) {
	t.Parallel()
	const kind = "tunnel_https_edge_route"
	refused := func(status int) testserver.Rule {
		return testserver.Rule{Behavior: fmt.Sprint("html_before=", status), Method: http.MethodPatch}
	}
	for name, test := range map[string]struct {
		match  string // "" keeps it
		faults []testserver.Rule
		advice bool
	}{
		"taken":         {"/taken", nil, true},
		"no permission": {"/taken", []testserver.Rule{refused(http.StatusForbidden)}, false},
		"the same path": {"", []testserver.Rule{refused(http.StatusBadRequest)}, false},
	} {
		w := acctest.Start(t)
		keys := acctest.KindOf(t, kind).Create(t, w)
		edge := keys["edge_id"]
		w.Create("/edges/https/"+edge+"/routes", `{"match_type": "exact_path", "match": "/taken"}`)
		state, _ := w.Protocol(t).Import(kind, edge+"/"+keys["id"], nil)
		p := w.Protocol(t)
		values := p.Attributes(p.Kept(kind, state))
		values["match_type"], values["description"] = acctest.Text("exact_path"), acctest.Text("changed")
		if test.match != "" {
			values["match"] = acctest.Text(test.match)
		}
		w.SetRules(test.faults...)
		_, found := p.Apply(kind, state, acctest.Object(p.Type(kind), values))
		text := texts(found)
		advice := acctest.InError("If two or more resources exchange their match", "/takentemporary").MatchString(text)
		if len(found) != 1 || !strings.Contains(text, "Error updating HTTPS edge route") || advice != test.advice || !advice && strings.Contains(text, "exchange") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// tunnel-testserver explore, which shares no code with the provider, reads the command in
// this error.
func TestCreate_importThatExploreReads(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../testserver/internal/explore/worker.go")
	if err != nil {
		t.Fatal(err)
	}
	advises := regexp.MustCompile("advice = regexp.MustCompile\\(`(.*)`\\)").FindSubmatch(source)
	w := acctest.Start(t)
	p := w.Protocol(t)
	w.SetRules(testserver.Rule{Behavior: "503_after", Method: http.MethodPost})
	config := acctest.FromJSON(p.Type(group), map[string]any{"labels": map[string]any{"app": "web"}})
	_, found := p.Apply(group, tftypes.NewValue(p.Type(group), nil), config)
	id, _ := w.List("/backends/tunnel_group")[0]["id"].(string)
	command := regexp.MustCompile(string(advises[1])).FindStringSubmatch(found[0].Detail)
	if len(command) != 3 || command[1] != group+".NAME" || command[2] != id || !strings.Contains(found[0].Detail, "state mv "+group+".NAME "+group+".old") {
		t.Errorf("%q finds %q, expected the import of %s in:\n%s", advises[1], command, id, found[0].Detail)
	}
}
