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
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const (
	longKey    = "sk_live-9fQ2xW7bTz4LmN8vRk3YcHd6PgJs1AuE"
	longHeader = "gw+Zx81/kQpV5tNnB2aCe7YrLdM0oSfU4iHjTw=="
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

// secretTexts returns by name the secrets that the service must not be able to
// show. Private keys are in PEM, and their armor does not count; see shows.
func secretTexts(keys map[string]string) map[string]string {
	texts := map[string]string{"API key": longKey, "header": longHeader}
	maps.Copy(texts, keys)
	return texts
}

// der returns the contents of a PEM block.
func der(key string) []byte {
	block, _ := pem.Decode([]byte(key))
	return block.Bytes
}

func percent(text string) string {
	var all strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&all, "%%%02X", text[i])
	}
	return all.String()
}

func entities(format string) func(string) string {
	return func(text string) string {
		var all strings.Builder
		for _, r := range text {
			fmt.Fprintf(&all, format, r)
		}
		return all.String()
	}
}

// between puts a text between the characters of another.
func between(what string) func(string) string {
	return func(text string) string { return strings.Join(strings.Split(text, ""), what) }
}

// wrapped breaks a text into lines of the given length.
func wrapped(columns int) func(string) string {
	return func(text string) string {
		var lines []string
		for chunk := range slices.Chunk([]byte(text), columns) {
			lines = append(lines, string(chunk))
		}
		return strings.Join(lines, "\n")
	}
}

// encodings are ways to write a text that a reader can reverse.
var encodings = map[string]func(string) string{
	"plain":          func(s string) string { return s },
	"base64":         func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 raw":     func(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) },
	"base64 URL":     func(s string) string { return base64.URLEncoding.EncodeToString([]byte(s)) },
	"base64 URL raw": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"base64 +1":      func(s string) string { return base64.StdEncoding.EncodeToString([]byte("x" + s)) },
	"base64 +2":      func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("xy" + s)) },
	"hex":            func(s string) string { return hex.EncodeToString([]byte(s)) },
	"HEX":            func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"URL":            percent,
	"url":            func(s string) string { return strings.ToLower(percent(s)) },
	"query":          url.QueryEscape,
	"path":           url.PathEscape,
	"HTML":           html.EscapeString,
	"HTML decimal":   entities("&#%d;"),
	"HTML hex":       entities("&#x%x;"),
	"JSON":           entities(`\u%04x`),
	"JSON string":    func(s string) string { text, _ := json.Marshal(s); return string(text) },
	"NUL between":    between("\x00"),
	"ESC between":    between("\x1b"),
	"ZWSP between":   between("\u200b"),
	"ZWNJ between":   between("\u200c"),
	"BOM between":    between("\ufeff"),
	"soft hyphen":    between("\u00ad"),
	"lines between":  between("\n"),
	"spaces between": between(" "),
	"lines of 64":    wrapped(64),
	"lines of 76":    wrapped(76),
	"lines of 25":    wrapped(25),
}

// frames are texts that surround a secret in a message.
var frames = map[string]string{
	"alone":     "%s",
	"sentence":  "the value is %s and that is wrong",
	"quoted":    `cannot use "%s": it is not valid`,
	"glued":     "key=%s;",
	"letter":    "a%s",
	"letters":   "xyz%sabc",
	"percent":   "100% sure that %s is wrong",
	"backslash": `C:\new\x %s`,
	"clauses":   "Unfortunately, the certificate, which was uploaded yesterday, and not today, could not be read: perhaps, or presumably, the separators, parentheses, (abbreviations), and punctuation, are misplaced; see documentation/troubleshooting.html, paragraph twenty-three: %s",
}

// shows reports whether a text repeats a run of an encoded secret that is long
// enough to reveal 16 of its characters. It does not use the search that it
// tests. The armor of a private key is not secret and does not count.
func shows(text, plain string, encode func(string) string) bool {
	from, to := secretPart(plain)
	encoded := encode(plain)
	begin, end := len(encode(plain[:from])), len(encoded)-len(encode(plain[to:]))
	if from > 0 { // base64 ends with padding
		begin, end = begin+4, end-4
	}
	run := 16*len(encoded)/len(plain) + 8
	text, encoded = significant(text), significant(encoded[min(begin, end):end])
	run = min(run, len(encoded)) * 3 / 4
	for at := 0; at+run <= len(encoded); at += max(run/3, 1) { // each whole run contains one of these
		if strings.Contains(text, encoded[at:at+run]) {
			return true
		}
	}
	return false
}

func significant(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
}

// secretPart returns the beginning and end of the secret in a text.
func secretPart(plain string) (from, to int) {
	block, _ := pem.Decode([]byte(plain))
	if block == nil {
		return 0, len(plain)
	}
	from = (constantStart(block.Bytes) + 2) / 3 * 4
	return strings.Index(plain, "\n") + 1 + from + from/64, strings.Index(plain, "-----END")
}
