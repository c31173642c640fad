package pki_test

import (
	"encoding/base64"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func samePublicKey(a, b string) bool {
	return pki.PublicKeyType{}.Of(a).Same(pki.PublicKeyType{}.Of(b))
}

func TestPublicKey_sameByTypeAndKey(t *testing.T) {
	t.Parallel()
	for kind, bits := range map[string]string{"rsa": "2048", "ecdsa": "384", "ed25519": "256"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			public, private := testcert.SSHKeygen(t, kind, bits)
			fields := strings.Fields(public)
			for name, text := range map[string]string{
				"as it is":           public,
				"no type":            fields[1],
				"no comment":         fields[0] + " " + fields[1],
				"another comment":    fields[0] + " " + fields[1] + " root@elsewhere, with spaces",
				"CRLF":               strings.TrimSpace(public) + "\r\n",
				"no line end":        strings.TrimSpace(public),
				"tabs":               fields[0] + "\t" + fields[1] + "\tme",
				"white space around": "\n  " + public + "\n",
				"a byte order mark":  "\ufeff" + public,
			} {
				if _, err := pki.ParsePublicKey(text); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if !samePublicKey(public, text) || !samePublicKey(text, public) {
					t.Errorf("%s: not the same key", name)
				}
				for _, another := range []string{testcert.PublicKey(t, fields[2]), "", fields[0]} {
					if samePublicKey(text, another) || samePublicKey(another, text) {
						t.Errorf("%s: the same as %q", name, another)
					}
				}
			}
			_, err := pki.ParsePublicKey(private)
			expectError(t, err, "found a private key")
			expectNoSecret(t, err, private)
		})
	}
}

func TestPublicKey_refused(t *testing.T) {
	t.Parallel()
	key := testcert.PublicKey(t, "me")
	for name, test := range map[string]struct{ text, want string }{
		"nothing":          {" ", "found an empty string"},
		"no key":           {"a text", "is not a valid SSH public key"},
		"half a bare key":  {strings.Fields(key)[1][:40], "found a key without its type that is incomplete or damaged"},
		"half a key":       {key[:40], "is not a valid SSH public key: the text after ssh-ed25519 is incomplete or damaged"},
		"two keys":         {key + "\n" + key, "more than one line"},
		"base64":           {base64.StdEncoding.EncodeToString([]byte(key)), "Decode it with base64decode()"},
		"a path":           {"~/.ssh/id_ed25519.pub", "Read the file with file()"},
		"options":          {`restrict,command="true" ` + key, "found authorized_keys options"},
		"restricted":       {"restrict " + key, "found authorized_keys options"},
		"known_hosts":      {"bastion.example.com " + key, "Remove the host before the type of the key"},
		"hashed host":      {"|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= " + key, "Remove the host before the type of the key"},
		"a fingerprint":    {"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8", "found a fingerprint"},
		"PEM":              {"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "found damaged PEM or RFC 4716 format"},
		"damaged RFC 4716": {"---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----", "found damaged PEM or RFC 4716"},

		"a private key":   {testcert.PKCS8(t, testcert.Key(t, "")), "found a private key"},
		"another type":    {strings.Replace(key, "ssh-ed25519", "ssh-rsa", 1), "is not a valid SSH public key: the line begins with ssh-rsa, but the key is of type ssh-ed25519"},
		"a security key":  {"sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABHNzaDo=", "must be an RSA, ECDSA or Ed25519 key"},
		"an unknown type": {"ssh-foo AAAAB3NzaC1mb28=", "is not a valid SSH public key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pki.ParsePublicKey(test.text)
			expectError(t, err, test.want)
			expectNoSecret(t, err, test.text)
		})
	}
}

func TestPublicKey_certificateRefused(t *testing.T) {
	t.Parallel()
	_, err := pki.ParsePublicKey(hostCertificate(t))
	expectError(t, err, "Use the .pub file without -cert in its name")
}

func keygen(t *testing.T, arguments ...string) {
	t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	if out, err := exec.CommandContext(t.Context(), "ssh-keygen", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
}

// TestPublicKey_leastSize checks the limit of RSA keys, which is not one of validity: a
// key of that size can be imported.
func TestPublicKey_leastSize(t *testing.T) {
	t.Parallel()
	short, err := ssh.NewPublicKey(testcert.Key(t, "rsa1024").Public())
	if err != nil {
		t.Fatal(err)
	}
	long, _ := testcert.SSHKeygen(t, "rsa", "2048")
	for text, want := range map[string]string{
		string(ssh.MarshalAuthorizedKey(short)): "must be an RSA key with at least 2048 bits, or an ECDSA, Ed25519 or FIDO key; found RSA with 1024 bits",
		long:                                    "", testcert.PublicKey(t, ""): "", "no key": "",
	} {
		for _, limit := range []validator.String{pki.PublicKeySize, pki.CredentialKeyStrength} {
			var resp validator.StringResponse
			limit.ValidateString(attribute.WithPriorState(t.Context(), nil), validator.StringRequest{Path: path.Root("public_key"), ConfigValue: types.StringValue(text)}, &resp)
			if text := fmt.Sprint(resp.Diagnostics); resp.Diagnostics.HasError() != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%s, want %q", text, want)
			}
		}
	}
}

func TestPublicKey_dsa(t *testing.T) {
	t.Parallel()
	const want = "must be an RSA, ECDSA or Ed25519 key; found type ssh-dss. Create another key, for example with: ssh-keygen -t ed25519"
	if _, err := pki.ParsePublicKey("ssh-dss AAAAB3NzaC1kc3MAAACB me@here"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
