package api

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const (
	longKey    = "sk_live-9fQ2xW7bTz4LmN8vRk3YcHd6PgJs1AuE"
	longHeader = `gw+Zx81/"kQpV5tNnB2aCe7Yr LdM0oSfU4iHjTw==`
)

// newPrivateKeys returns a private key of each form, in PEM.
func newPrivateKeys(t testing.TB) map[string]string {
	t.Helper()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8 := func(key any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	sec1, err := x509.MarshalECPrivateKey(ec)
	if err != nil {
		t.Fatal(err)
	}
	inPEM := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return map[string]string{
		"PKCS8 P-256":   inPEM("PRIVATE KEY", pkcs8(ec)),
		"PKCS8 Ed25519": inPEM("PRIVATE KEY", pkcs8(ed)),
		"PKCS8 RSA":     inPEM("PRIVATE KEY", pkcs8(long)),
		"PKCS1":         inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(long)),
		"SEC1":          inPEM("EC PRIVATE KEY", sec1),
	}
}

// repeats reports whether a text contains 40 characters in a row of a secret
// other than PEM armor.
func repeats(text, secret string) bool {
	for at := 0; at+40 <= len(secret); at++ {
		if part := secret[at : at+40]; !strings.Contains(part, "----") && strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// errorOf returns the error of a response with a message.
func errorOf(known secrets, message string, sentKey bool) *Error {
	text, _ := json.Marshal(map[string]string{"msg": message})
	return newError(&http.Response{StatusCode: 400, Header: http.Header{}}, text, known, sentKey)
}

func TestSecrets_hideKeyAndHeaders(t *testing.T) {
	t.Parallel()
	known := newSecrets(Config{APIKey: longKey, Headers: map[string]string{"X-Gateway": longHeader, "X-Short": "short"}})
	for _, secret := range []string{longKey, longHeader} {
		for _, frame := range []string{"%s", "the value %s is wrong", `cannot use "%s": it is not valid`, "key=%s;", "100%% of %s"} {
			if err := errorOf(known, fmt.Sprintf(frame, secret), false); err.Message != "" || err.hidden == "" {
				t.Errorf("%q is shown", err)
			}
		}
		header := http.Header{"Content-Type": {"text/" + secret}, operationIDHeader: {"op_" + secret}}
		for _, body := range []string{"<html>", fmt.Sprintf(`{"error_code": %q, "details": {"field": %[1]q}}`, secret), `{"error_code": "7"}`} {
			err := newError(&http.Response{StatusCode: 400, Header: header}, []byte(body), known, false)
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%q is shown", err)
			}
		}
	}
}

// A private key, and a new token that this client does not know.
func TestSecrets_hideUnknownSecrets(t *testing.T) {
	t.Parallel()
	var known secrets
	shown := map[string]string{"token": "aB3dE5gH7jK9mN1pQ3sT", "token with a prefix": "apitoken_3YUE1nYP0gOl8DQFVEb6", "long token": longKey, "dotted token": "2abcdefghij.7klmnopqrstu"}
	for name, key := range newPrivateKeys(t) {
		block, _ := pem.Decode([]byte(key))
		shown[name] = key
		shown[name+", a line"] = strings.Split(key, "\n")[1]
		shown[name+", escaped"] = strings.ReplaceAll(key, "\n", `\n`)
		shown[name+", DER in base64"] = base64.StdEncoding.EncodeToString(block.Bytes)
		shown[name+", DER in hex"] = hex.EncodeToString(block.Bytes)
	}
	for name, text := range shown {
		for _, frame := range []string{"%s", "the key %s is wrong", "key=%s;", `the token "%s".`} {
			if err := errorOf(known, fmt.Sprintf(frame, text), true); err.Message != "" || err.hidden == "" {
				t.Errorf("%s is shown: %s", name, err)
			}
		}
	}
}

func TestSecrets_leaveOtherMessagesAlone(t *testing.T) {
	t.Parallel()
	known := newSecrets(Config{APIKey: longKey, Headers: map[string]string{"X-Gateway": longHeader, "X-Short": "short"}})
	for _, message := range []string{
		"private_key_pem must begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----",
		"the header X-Short: short is not known here, nor are short headers in general",
		"the certificate cert_2fIvWzXQ8pLm9RtYuB3nKs7Ah4C does not match the private key",
		`TLS certificate "cert_2fIvWzXQ8pLm9RtYuB3nKs7Ah4C" does not exist.`,
		strings.Repeat("The certificate chain is not complete: an intermediate certificate is missing. ", 8),
		"100% of the rules were rejected, %d, %s, %zz, &#; &#x; \\u12 \\",
		"Bearer tokens are sent in the header Authorization, such as Authorization: Bearer <API key>",
	} {
		for _, sentKey := range []bool{false, true} {
			if err := errorOf(known, message, sentKey); err.Message != message || err.hidden != "" {
				t.Errorf("%q became %q", message, err)
			}
		}
	}
	fingerprint := "fingerprint SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 is unknown"
	if err := errorOf(known, fingerprint, false); err.Message != fingerprint {
		t.Errorf("%q became %q, without a private key in the request", fingerprint, err)
	}
}

// Code, field and operation id say what is wrong even if the message is hidden.
func TestSecrets_hiddenMessageKeepsTheRest(t *testing.T) {
	t.Parallel()
	key := newPrivateKeys(t)["SEC1"]
	quoted, _ := json.Marshal("cannot parse " + key)
	client := serve(t, body(400, `{"error_code":"ERR_TUNNEL_3","msg":`+string(quoted)+`,"details":{"field":"certificate_management_policy.private_key_type","operation_id":"op_1"}}`))
	_, err := TLSCertificates.Of(client).Create(t.Context(), TLSCertificateCreate{CertificatePEM: "c", PrivateKeyPEM: key})
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, err.Error(), "400 Bad Request", "ERR_TUNNEL_3", "certificate_management_policy.private_key_type", "op_1", "message hidden because the request or its response has a secret")
	if repeats(err.Error(), key) || strings.Contains(err.Error(), "cannot parse") {
		t.Errorf("the key is shown: %s", err)
	}
}
