package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func keyFile(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "api-key")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAPIKeyFile_accepted(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for content, mode := range map[string]os.FileMode{w.AdminKey: 0o600, w.AdminKey + "\n": 0o400, " " + w.AdminKey + " \r\n": 0o640, w.AdminKey + "\n\n": 0o644, "\ufeff" + w.AdminKey + "\r\n": 0o600} {
		name := keyFile(t, content, mode)
		found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text(w.URL), "api_key_file": text(name)})
		if mode != 0o644 {
			acctest.ExpectNone(t, found)
		} else {
			acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("api_key_file"), "readable by all users", name, "0644")
		}
	}
}

func TestAPIKeyFile_refused(t *testing.T) {
	t.Parallel()
	const secret = "key-of-the-test"
	missing := filepath.Join(t.TempDir(), "missing")
	for name, test := range map[string]struct{ file, want string }{
		"a key":        {"4fd8c1e0supersecret", "found a file that cannot be read (no such file or directory), or the API key itself, so it is not shown"},
		"a base64 key": {"ab12cd34/EF56gh78+IJ90kl", "or the API key itself, so it is not shown"},
		"an odd key":   {"/b12cd34/EF56gh78+IJ90kl", "or the API key itself, so it is not shown"},
		"missing key":  {missing, "a file that cannot be read (no such file or directory)"},
		"home key":     {"~/key", "Use the whole path"},
		"directory":    {t.TempDir(), "it is not a regular file"},
		"empty":        {keyFile(t, "", 0o600), "it is empty"},
		"only a line":  {keyFile(t, "\n", 0o600), "it is empty"},
		"too large":    {keyFile(t, strings.Repeat("k", 4097), 0o600), "it is larger than 4 KiB"},
		"two lines":    {keyFile(t, secret+"\n"+secret, 0o600), "Remove newlines"},
		"with Bearer":  {keyFile(t, "Bearer "+secret, 0o600), `begins with "Bearer"`},
		"in quotes":    {keyFile(t, `"`+secret+`"`, 0o600), "is in quotation marks. Remove them"},
		"a binary one": {keyFile(t, secret+"\x00", 0o600), "must not be empty, contain control characters"},
	} {
		found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text("https://api.example.com"), "api_key_file": text(test.file)})
		at := acctest.At("api_key_file")
		if strings.HasSuffix(name, " key") {
			at = nil // Terraform would print it
		}
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityError, at, "api_key_file must be the path of a file", test.want)
		if strings.Contains(found[0].Detail, secret) {
			t.Errorf("%s: the error shows the key: %s", name, found[0].Detail)
		}
	}
}

// TestAPIKeyFile_precedence sets an argument of the provider block, a variable of the
// environment, or several of them. The one that must win has the right key.
func TestAPIKeyFile_precedence(t *testing.T) {
	w := acctest.Start(t)
	right, wrong := keyFile(t, w.AdminKey, 0o600), keyFile(t, "wrong-key-of-the-test", 0o600)
	for _, test := range []struct{ key, file, keyVariable, fileVariable, conflict string }{
		{"", right, "", "", ""},
		{"", "", "", right, ""},
		{"", right, "wrong", "", ""},
		{"", right, "", wrong, ""},
		{w.AdminKey, "", "", wrong, ""},
		{w.AdminKey, "", "wrong", wrong, ""},
		{w.AdminKey, right, "", "", "Expected one of api_key and api_key_file; found both"},
		{"", "", w.AdminKey, right, "Expected one of TUNNEL_API_KEY and TUNNEL_API_KEY_FILE; found both"},
	} {
		t.Setenv("TUNNEL_API_KEY", test.keyVariable)
		t.Setenv("TUNNEL_API_KEY_FILE", test.fileVariable)
		given := arguments{"base_url": text(w.URL)}
		for name, value := range map[string]string{"api_key": test.key, "api_key_file": test.file} {
			if value != "" {
				given[name] = text(value)
			}
		}
		found := acctest.NewProtocol(t).TryConfigure(given)
		if test.conflict == "" {
			acctest.ExpectNone(t, found)
		} else {
			acctest.Expect(t, found, tfprotov6.DiagnosticSeverityError, acctest.At("api_key_file"), test.conflict)
		}
	}
}
