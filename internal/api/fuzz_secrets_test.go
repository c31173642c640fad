package api

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// words are the words of harmless messages.
var words = strings.Fields(`the certificate chain is not valid because an intermediate certificate authority has expired and no longer issues
	certificates for this domain please upload a complete chain or contact support with the operation id public private key type ecdsa rsa ed25519
	must match description metadata exceeds 4096 bytes label environment production staging 2026-11-21T08:15:30Z tunnel_group bkdtg_2fIvWzXQ8pLm9RtYuB3nKs7Ah4C
	sha256 base64 decode failed unexpected character at offset 1234567890 deadbeefdeadbeef internationalization misconfiguration authentication
	https://docs.example.com/errors/err_tunnel_609 ERR_TUNNEL_400 (see above) "quoted" 100% a/b c:d e=f 50%25 &amp; \u0041 \n x+y`)

// randomSecret returns a secret with a random alphabet and a random length.
func randomSecret(random *rand.Rand) string {
	alphabets := []string{
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "0123456789abcdef",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$%&*@#<>\"'\\",
	}
	alphabet := alphabets[random.IntN(len(alphabets))]
	secret := make([]byte, secretRun+random.IntN(40))
	for i := range secret {
		secret[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(secret)
}

func sentence(random *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		text.WriteString(words[random.IntN(len(words))])
		text.WriteString([]string{" ", " ", " ", ", ", ". ", ": "}[random.IntN(6)])
	}
	return text.String()
}

// FuzzSecrets puts a random secret, encoded once or twice, into a random
// message. The message must not be shown. Without the secret, it must be shown.
func FuzzSecrets(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	names := slices.Sorted(maps.Keys(encodings))
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 11))
		secret := randomSecret(random)
		known := newSecrets(Config{APIKey: secret})
		inner, outer := names[random.IntN(len(names))], "plain"
		if random.IntN(2) == 0 {
			outer = names[random.IntN(len(names))]
		}
		if inner == "spaces between" && outer == "query" {
			return // puts + between the characters
		}
		encode := func(text string) string { return encodings[outer](encodings[inner](text)) }
		before, after := sentence(random, random.IntN(12)), sentence(random, random.IntN(12))
		if random.IntN(2) == 0 {
			before = strings.TrimRight(before, " .,:")
		}
		if err := errorOf(known, before+encode(secret)+after); shows(err.Error(), secret, encode) {
			t.Errorf("%q, %s in %s: %q", secret, inner, outer, err)
		}
		if err := errorOf(known, before+after); err.hidden || err.Message != before+after {
			t.Errorf("%q: the harmless %q became %q", secret, before+after, err)
		}
	})
}
