package pki_test

import (
	"encoding/base64"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"golang.org/x/crypto/ssh"
)

var command = regexp.MustCompile(`(?:openssl|ssh-keygen) [^"]*`)

// TestCommands_convert makes files that are refused, and runs the command of the message
// with each of them: its result is accepted.
func TestCommands_convert(t *testing.T) {
	t.Parallel()
	certificate := func(text string) error { _, err := pki.ParseChain(text); return err }
	private := func(text string) error { _, err := pki.ParsePrivateKey(text); return err }
	public := func(text string) error { _, err := pki.ParsePublicKey(text); return err }
	identity := func(text string) error { _, err := pki.ParseIdentity(text); return err }
	const pkcs12 = "openssl pkcs12 -export -passout pass: -inkey key -in cert -out made"
	for name, test := range map[string]struct {
		make   string // from the files cert and key, which are PEM
		binary bool
		parse  func(string) error
	}{
		"DER certificate":         {"openssl x509 -in cert -outform DER -out made", true, certificate},
		"DER key":                 {"openssl pkey -in key -outform DER -out made", true, private},
		"PKCS#12 for certificate": {pkcs12, true, certificate},
		"PKCS#12 for key":         {pkcs12, true, private},
		"PKCS#7":                  {"openssl crl2pkcs7 -nocrl -certfile cert -out made", false, certificate},
		"trusted certificate":     {"openssl x509 -in cert -trustout -out made", false, certificate},
		"encrypted key":           {"openssl pkey -aes256 -passout pass:secret -in key -out made", false, private},
		"encrypted OpenSSH key":   {"cp open made && ssh-keygen -q -p -N secret -f made", false, private},
		"encrypted identity":      {"cp open made && ssh-keygen -q -p -N secret -f made", false, identity},
		"PKCS#8 key for public":   {"cp key made", false, public},
		"private key for public":  {"cp open made", false, public},
		"explicit curve":          {"openssl ecparam -name prime256v1 -param_enc explicit -genkey -noout -out made", false, private},
		"explicit curve, PKCS#8":  {"openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit -out made", false, private},
	} {
		for _, kind := range []string{"rsa2048", "p256", "ed25519"} {
			if name == "encrypted identity" && kind == "p256" {
				continue // age has no such identities
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				shell := func(script string) {
					t.Helper()
					cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
					cmd.Dir = dir
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v\n%s", script, err, out)
					}
				}
				read := func(file string) string {
					content, err := os.ReadFile(filepath.Join(dir, file))
					if err != nil {
						t.Fatal(err)
					}
					return string(content)
				}
				chain := testcert.ChainOf{Key: kind}.New(t)
				open, err := ssh.MarshalPrivateKey(chain.Signer, "")
				if err != nil {
					t.Fatal(err)
				}
				for file, content := range map[string]string{"cert": chain.PEM(), "key": chain.PKCS8(t), "open": string(pem.EncodeToMemory(open))} {
					if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				shell(test.make)
				text := read("made")
				if test.binary {
					text = base64.StdEncoding.EncodeToString([]byte(text))
				}
				err = test.parse(text)
				if err == nil {
					t.Fatal("the file is accepted")
				}
				advice, _, _ := strings.Cut(command.FindString(err.Error()), ". ")
				if strings.HasPrefix(advice, "openssl") {
					advice = strings.NewReplacer("KEYFILE", "made", "PEMFILE", "new", "DECRYPTED", "new", "NAMED", "new", "-pubout", "-pubout -out new", "FILE", "made").Replace(advice)
					if strings.Contains(test.make, "-passout") {
						advice += " -passin pass:" + regexp.MustCompile(`-passout pass:(\w*)`).FindStringSubmatch(test.make)[1]
					}
				} else {
					advice = strings.NewReplacer("-f KEYFILE", "-f made >new", "-f COPY", "-P secret -f made && cp made new").Replace(advice)
				}
				shell(advice)
				if err := test.parse(read("new")); err != nil {
					t.Errorf("%s: %v", advice, err)
				}
			})
		}
	}
}
