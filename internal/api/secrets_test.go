package api

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// knowing returns the secrets of a client that has sent all keys.
func knowing(keys map[string]string) *secrets {
	known := newSecrets(Config{APIKey: longKey, Headers: map[string]string{"X-Gateway": longHeader, "X-Short": "short"}})
	for _, key := range keys {
		known.add(key)
	}
	return known
}

// errorOf returns the error of an answer with a message.
func errorOf(known *secrets, message string) *Error {
	text, _ := json.Marshal(map[string]string{"msg": message})
	return newError(&http.Response{StatusCode: 400, Header: http.Header{}}, text, known)
}

func TestSecrets_areNotInMessages(t *testing.T) {
	t.Parallel()
	keys := newPrivateKeys(t)
	known := knowing(keys)
	for name, encode := range encodings {
		var missed []string
		var first string
		for source, plain := range secretTexts(keys) {
			for frame, format := range frames {
				encoded := encode(plain)
				err := errorOf(known, strings.Replace(format, "%s", encoded, 1))
				if shows(err.Error(), plain, encode) {
					missed, first = append(missed, source+" "+frame), err.Error()
				}
			}
		}
		if len(missed) > 0 {
			slices.Sort(missed)
			t.Errorf("%s: %d are shown (%s), for example %.300q", name, len(missed), strings.Join(missed, ", "), first)
		}
	}
}

// One encoding is inside the other.
func TestSecrets_areNotInMessagesThatAreEncodedTwice(t *testing.T) {
	t.Parallel()
	keys := newPrivateKeys(t)
	known := knowing(keys)
	for inner, encodeInner := range encodings {
		t.Run(inner, func(t *testing.T) {
			t.Parallel()
			var missed []string
			for _, source := range []string{"API key", "PKCS8 Ed25519"} {
				plain := secretTexts(keys)[source]
				for outer, encodeOuter := range encodings {
					for _, frame := range []string{"letter", "percent", "clauses"} {
						encode := func(text string) string { return encodeOuter(encodeInner(text)) }
						encoded := encode(plain)
						if len(encoded) > 1500 || inner == "spaces between" && outer == "query" {
							continue // cut in the middle, or with + between the characters
						}
						err := errorOf(known, strings.Replace(frames[frame], "%s", encoded, 1))
						if shows(err.Error(), plain, encode) {
							missed = append(missed, fmt.Sprintf("%s in %s, %s", source, outer, frame))
						}
					}
				}
			}
			if len(missed) > 0 {
				slices.Sort(missed)
				t.Errorf("%d are shown: %s", len(missed), strings.Join(missed, "; "))
			}
		})
	}
}

func TestSecrets_includePartsOfAPrivateKey(t *testing.T) {
	t.Parallel()
	keys := newPrivateKeys(t)
	known := knowing(keys)
	for name, key := range keys {
		lines := strings.Split(strings.TrimSpace(key), "\n")
		raw := der(key)
		secret := raw[constantStart(raw):]
		texts := map[string]string{"body": strings.Join(lines[1:len(lines)-1], ""), "escaped": strings.ReplaceAll(key, "\n", `\n`)}
		for i, line := range lines[2 : len(lines)-1] {
			if len(line) >= 40 {
				texts[fmt.Sprintf("line %d", i+2)] = line
			}
		}
		for offset := range 8 {
			part := secret[offset : offset+24]
			texts[fmt.Sprintf("hex at %d", offset)] = hex.EncodeToString(part)
			texts[fmt.Sprintf("base64 at %d", offset)] = base64.StdEncoding.EncodeToString(part)
			texts[fmt.Sprintf("base64url at %d", offset)] = base64.RawURLEncoding.EncodeToString(part)
		}
		for what, text := range texts {
			for frame, format := range frames {
				if err := errorOf(known, strings.Replace(format, "%s", text, 1)); shows(err.Error(), text, encodings["plain"]) {
					t.Errorf("%s, %s, %s: %.300s", name, what, frame, err)
				}
			}
		}
	}
}

// A key can begin with bytes that look like another DER structure.
func TestSecrets_includeKeysThatLookLikeDER(t *testing.T) {
	t.Parallel()
	for _, begin := range [][]byte{{0x04, 0x10}, {0x04, 0x1e}, {0x04, 0x02}, {0x04, 0x00}, {0x30, 0x03}, {0x30, 0x1e}, {0x30, 0x00}, {0x30, 0x1e, 0x02, 0x08}, {0x30, 0x20, 0x30, 0x20}, {0x04, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x04, 0x0d}} {
		scalar := make([]byte, 32)
		for i := range scalar {
			scalar[i] = byte(17*i + 5)
		}
		copy(scalar, begin)
		private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar)
		if err != nil {
			t.Fatal(err)
		}
		sec1, err := x509.MarshalECPrivateKey(private)
		if err != nil {
			t.Fatal(err)
		}
		ec, err := x509.MarshalPKCS8PrivateKey(private)
		if err != nil {
			t.Fatal(err)
		}
		ed, err := x509.MarshalPKCS8PrivateKey(ed25519.NewKeyFromSeed(scalar))
		if err != nil {
			t.Fatal(err)
		}
		for kind, raw := range map[string][]byte{"EC PRIVATE KEY": sec1, "PRIVATE KEY": ec, "ENCRYPTED PRIVATE KEY": ed} {
			known := newSecrets(Config{})
			known.add(string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw})))
			for offset := range len(scalar) - 17 { // at any offset, 18 bytes contain 16 characters of base64
				if part := scalar[offset : offset+18]; !known.in("the value " + hex.EncodeToString(part) + " is wrong") {
					t.Errorf("%s with a key that begins with %x: 18 bytes from byte %d are shown", kind, begin, offset)
					break
				}
			}
		}
	}
}

func TestSecrets_shortAPIKeyCountsAsAWhole(t *testing.T) {
	t.Parallel()
	known := newSecrets(Config{APIKey: "hunter2-42"})
	for name, encode := range encodings {
		if encoded := encode("hunter2-42"); !known.in("the key "+encoded+" is wrong") && name != "lines of 25" {
			t.Errorf("%s: %s is shown", name, encoded)
		}
	}
	for _, text := range []string{"hunter2", "the hunter has 2 keys", "42"} {
		if known.in(text) {
			t.Errorf("%q is hidden", text)
		}
	}
}

// harmless returns messages that must be shown unchanged.
func harmless(t testing.TB, keys map[string]string) []string {
	t.Helper()
	messages := []string{
		"private_key_pem must begin with -----BEGIN PRIVATE KEY----- and end with -----END PRIVATE KEY-----",
		"expected -----BEGIN RSA PRIVATE KEY-----, -----BEGIN EC PRIVATE KEY----- or -----BEGIN PRIVATE KEY-----, found -----BEGIN CERTIFICATE-----",
		"the header X-Short: short is not known here, nor are short headers in general",
		"the certificate cert_2fIvWzXQ8pLm9RtYuB3nKs7Ah4C does not match the private key",
		"fingerprint SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 is unknown; MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48",
		"serial number 04:5f:8a:9c:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee is in use, also written 045f8a9c112233445566778899aabbccddee",
		"unexpected token " + base64.StdEncoding.EncodeToString([]byte("this is something else that a service may say")),
		"see https://docs.example.com/errors/err_tunnel_609?from=api&lang=en%2Dus#keys (&quot;public keys&quot; \\u0041)",
		strings.Repeat("The certificate chain is not complete: an intermediate certificate is missing. ", 8),
		"100% of the rules were rejected, %d, %s, %zz, &#; &#x; \\u12 \\",
		"Bearer tokens are sent in the header Authorization, such as Authorization: Bearer <API key>",
	}
	for _, key := range keys {
		raw := der(key)
		start := raw[:constantStart(raw)]
		messages = append(messages,
			"a private key begins with "+base64.StdEncoding.EncodeToString(start),
			"a private key begins with "+strings.TrimRight(base64.URLEncoding.EncodeToString(start), "=")+"... in base64",
			"a private key begins with "+hex.EncodeToString(start)+" in hexadecimal")
	}
	return messages
}

func TestSecrets_harmlessMessagesSurvive(t *testing.T) {
	t.Parallel()
	keys := newPrivateKeys(t)
	known := knowing(keys)
	for _, message := range harmless(t, keys) {
		if err := errorOf(known, message); err.Message != message || err.hidden {
			t.Errorf("%q became %q", message, err)
		}
	}
}

// manySecrets returns the secrets of n RSA keys of 2048 bits.
func manySecrets(t testing.TB, n int) *secrets {
	t.Helper()
	known := newSecrets(Config{APIKey: longKey})
	raw := make([]byte, 1190)
	for range n {
		rand.Read(raw) //nolint:errcheck // it never fails
		known.add(string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: append([]byte{0x30, 0x82, 0x04, 0xa2, 0x02, 0x01, 0x00, 0x02, 0x82, 0x01, 0x01}, raw...)})))
	}
	if len(known.known) != n+1 {
		t.Fatal(len(known.known))
	}
	return known
}

// errorTexts returns everything that a caller can print of an error.
func errorTexts(err error) string {
	text := err.Error()
	if outcome, ok := errors.AsType[*UnknownOutcomeError](err); ok {
		text += fmt.Sprint("\n", outcome.IDs, outcome.Look)
	}
	if existing, ok := errors.AsType[*ExistsError](err); ok {
		text += "\n" + existing.ID
	}
	if answer, ok := errors.AsType[*Error](err); ok {
		text += "\n" + answer.Error() + fmt.Sprintf("%+v", *answer)
	}
	return text
}
