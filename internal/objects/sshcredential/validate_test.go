package sshcredential_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const (
	kind    = "tunnel_ssh_credential"
	isError = tfprotov6.DiagnosticSeverityError
	isWarn  = tfprotov6.DiagnosticSeverityWarning
)

type values = map[string]tftypes.Value

func TestSSHCredential_invalidACLRule(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	key := acctest.Text(testcert.PublicKey(t, ""))
	for rule, want := range map[string]string{
		"example.com":              "is not a valid ACL rule",
		"bind:":                    "nothing follows",
		"bind:www.*.com":           "a wildcard must be the whole first label",
		"bind:example.com:0":       "the port must be from 1 to 65535",
		"bind:2001:db8::1:22":      "missing brackets around the IPv6 address",
		"bind:*.example.com:22":    "a wildcard cannot be combined with a port",
		"bind:env=":                "empty label key or value",
		"bind:env=a=b":             "more than one equals sign",
		"bind:https://example.com": "Remove the scheme",
		"":                         "is not a valid ACL rule",
	} {
		found := p.Check(kind, values{"public_key": key, "acl": acctest.Texts("bind:*.example.com", rule, "bind:env=prod", "bind:[2001:db8::1]:443")})
		acctest.Expect(t, found, isError, acctest.At("acl"), fmt.Sprintf("acl[1] (%q)", rule), want)
	}
}

func TestAccSSHCredential_removedACLWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "")
	tf := w.Terraform(t, config(key, `acl = ["bind:env=prod"]`))
	tf.Apply(t)
	const warning = "Warning: SSH credential without restrictions"
	for rest, want := range map[string]bool{"": true, `acl = ["*"]`: false, `acl = ["bind:env=test"]`: false} {
		tf.Write(t, "main.tf", "terraform {\n  required_providers {\n    tunnel = { source = \"tunnel-service/tunnel\" }\n  }\n}\n"+w.Config("%s", config(key, rest)))
		if out := tf.Plan(t); strings.Contains(out, warning) != want {
			t.Errorf("%q:\n%s", rest, acctest.Summary(out))
		}
	}
}

func TestAccSSHCredential_redundantACLRuleWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	key := testcert.PublicKey(t, "")
	acctest.Expect(t, p.Check(kind, values{"public_key": acctest.Text(key), "acl": acctest.Texts("bind:env=prod", "*")}), isWarn, acctest.At("acl"), "the other rules have no effect")
	for _, alone := range []tftypes.Value{acctest.Texts("*"), acctest.Texts("bind:*", "bind:env=prod")} {
		acctest.ExpectNone(t, p.Check(kind, values{"public_key": acctest.Text(key), "acl": alone}))
	}
	acctest.Expect(t, p.Check(kind, values{"public_key": acctest.Text(key), "acl": acctest.Texts()}), isWarn, acctest.At("acl"), "can bind anything")
	tf := w.Terraform(t, config(key, `acl = ["*", "bind:env=prod"]`))
	if out := tf.Plan(t); !acctest.InError("Warning: ACL rules without effect").MatchString(out) {
		t.Errorf("the plan does not warn:\n%s", acctest.Summary(out))
	}
}

// TestSSHCredential_invalidConfig checks the limits at both sides. None of them sends a
// request.
func TestSSHCredential_invalidConfig(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	list := tftypes.List{ElementType: tftypes.String}
	for name, test := range map[string]struct {
		attribute string
		value     tftypes.Value
		want      string
	}{
		"no key":                 {"public_key", acctest.Text("not a key"), "public_key is not a valid SSH public key"},
		"256 bytes, 128 letters": {"description", acctest.Text(strings.Repeat("é", 128)), "description must be at most 255 bytes long; found 256"},
		"255 bytes, 128 letters": {"description", acctest.Text(strings.Repeat("é", 127) + "x"), ""},
		"4097 bytes of metadata": {"metadata", acctest.Text(strings.Repeat("m", 4097)), "metadata must be at most 4096 bytes long; found 4097"},
		"4096 bytes of metadata": {"metadata", acctest.Text(strings.Repeat("m", 4096)), ""},
		"a rule that is null":    {"acl", tftypes.NewValue(list, []tftypes.Value{acctest.Text("bind:env=prod"), tftypes.NewValue(tftypes.String, nil)}), "must not be null"},
		"an owner that is empty": {"owner_id", acctest.Text(""), "owner_id must be an ID; found an empty string"},
	} {
		t.Run(name, func(t *testing.T) {
			given := values{"public_key": acctest.Text(testcert.PublicKey(t, ""))}
			given[test.attribute] = test.value
			if found := p.Check(kind, given); test.want == "" {
				acctest.ExpectNone(t, found)
			} else if len(found) != 1 || !acctest.InError(test.want).MatchString(found[0].Detail) {
				t.Errorf("found %v, want %q", found, test.want)
			}
		})
	}
	if sent := w.Sent(); sent > 0 {
		t.Errorf("%d requests were sent, want none", sent)
	}
}

func TestSSHCredential_privateKeyIsNotRepeated(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	public, private := testcert.SSHKeygen(t, "ed25519", "256")
	found := p.Check(kind, values{"public_key": acctest.Text(private)})
	acctest.Expect(t, found, isError, acctest.At("public_key"), "public_key must be one line in OpenSSH format", "found a private key")
	for line := range strings.Lines(private) {
		if strings.Contains(found[0].Detail, strings.TrimSpace(line)) {
			t.Errorf("the private key is repeated: %s", found[0].Detail)
		}
	}
	acctest.ExpectNone(t, p.Check(kind, values{"public_key": acctest.Text(public)}))
}

func TestSSHCredential_ownerByEMail(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	config := values{"public_key": acctest.Text(testcert.PublicKey(t, "")), "owner_id": acctest.Text("alice@example.com")}
	acctest.Expect(t, p.Check(kind, config), isWarn, acctest.At("owner_id"), `owner_id is an e-mail address: "alice@example.com". Expected an ID.`)
}

func TestSSHCredential_unknownValues(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	text, set := tftypes.NewValue(tftypes.String, tftypes.UnknownValue), tftypes.List{ElementType: tftypes.String}
	for _, acl := range []tftypes.Value{tftypes.NewValue(set, tftypes.UnknownValue), tftypes.NewValue(set, []tftypes.Value{text, acctest.Text("bind:env=prod")})} {
		config := values{"public_key": text, "acl": acl, "owner_id": text}
		acctest.ExpectNone(t, p.Check(kind, config))
		acctest.ExpectNone(t, p.PlanNew(kind, config).Diagnostics)
	}
}
