package api

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	// secretRun is how many characters a text and a secret must share for the
	// text to count as a leak. Spaces and control characters do not count.
	secretRun = 16
	// guessable is the length below which a secret is found in ordinary words.
	guessable = 8
	blockSize = secretRun / 2
)

// secrets are the secrets that a client has sent. They recognize a text that
// repeats one of them, or a part of one, plainly or in base64, hexadecimal, URL,
// HTML or JSON encoding.
type secrets struct {
	mu    sync.RWMutex
	known []string // normalized, each once
	short []string // those of known that are shorter than secretRun
	// blocks finds the secrets, at every place that is a multiple of blockSize: each
	// run of secretRun characters has a whole block in it.
	blocks map[[blockSize]byte][]place
}

// place is where a block is in a secret.
type place struct{ secret, at int }

// newSecrets returns the secrets of a configuration: the API key, and the header
// values that are long enough to be secret.
func newSecrets(config Config) *secrets {
	s := &secrets{blocks: map[[blockSize]byte][]place{}}
	s.add(config.APIKey)
	for _, value := range config.Headers {
		if len(value) >= secretRun {
			s.add(value)
		}
	}
	return s
}

// add adds secrets. Of a PEM-encoded private key only the secret part counts: a
// message may quote the armor, and all keys of a type begin alike.
func (s *secrets) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		parts := privateKeys(text)
		if len(parts) == 0 {
			parts = []string{text}
		}
		for _, part := range parts {
			s.addOne(normalize(part))
		}
	}
}

func (s *secrets) addOne(secret string) {
	if len(secret) < guessable || slices.Contains(s.known, secret) {
		return
	}
	s.known = append(s.known, secret)
	if len(secret) < secretRun {
		s.short = append(s.short, secret)
	}
	for at := 0; at+blockSize <= len(secret); at += blockSize {
		block := [blockSize]byte([]byte(secret[at : at+blockSize]))
		s.blocks[block] = append(s.blocks[block], place{len(s.known) - 1, at})
	}
}

// privateKeys returns the secret part of each private key in a PEM text, in
// base64.
func privateKeys(text string) []string {
	var keys []string
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			encoded := base64.StdEncoding.EncodeToString(block.Bytes)
			keys = append(keys, encoded[constantStart(block.Bytes)/3*4:])
		}
	}
	return keys
}

// constantStart returns how many bytes of a DER-encoded private key come before
// the key itself: version, algorithm and lengths. It is 0 for a key that cannot
// be parsed, such as an encrypted one.
func constantStart(der []byte) int {
	var key any
	for _, parse := range []func([]byte) (any, error){
		x509.ParsePKCS8PrivateKey,
		func(der []byte) (any, error) { return x509.ParsePKCS1PrivateKey(der) },
		func(der []byte) (any, error) { return x509.ParseECPrivateKey(der) },
	} {
		if parsed, err := parse(der); err == nil {
			key = parsed
		}
	}
	var first []byte
	switch key := key.(type) {
	case *rsa.PrivateKey:
		first = key.N.Bytes()
	case *ecdsa.PrivateKey:
		first, _ = key.Bytes() // of a supported curve, since it was parsed
	case ed25519.PrivateKey:
		first = key.Seed()
	}
	return max(bytes.Index(der, first), 0)
}

// in reports whether a text repeats a secret. A text with too many encodings to
// tell counts as one that does.
func (s *secrets) in(text string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.known) == 0 || len(text) < guessable {
		return false
	}
	search := search{secrets: s, left: searchBytes, seen: map[string]int{}}
	return search.found(text, searchDepth)
}

const (
	searchBytes = 1 << 20 // of texts, decoded ones included
	searchDepth = 3       // encodings in one another
)

// search looks for secrets in a text and in what it says if parts of it are
// encoded.
type search struct {
	*secrets
	left int
	seen map[string]int // depth with which a text was searched, plus one
}

func (s *search) found(text string, depth int) bool {
	text = strip(text)
	if len(text) < guessable || s.seen[text] > depth {
		return false
	}
	s.seen[text] = depth + 1
	if s.left -= len(text); s.left < 0 || s.inPlain(normalize(text)) {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, decoded := range []string{unescapeURL(text), html.UnescapeString(text), unescapeJSON(text)} {
		if s.found(decoded, depth-1) {
			return true
		}
	}
	for _, raw := range binaries(compact(text)) {
		if s.left -= 4 * len(raw); s.left < 0 {
			return true
		}
		for offset := range min(3, len(raw)) { // the secret part of a private key is known in base64
			if s.inPlain(normalize(base64.StdEncoding.EncodeToString(raw[offset:]))) {
				return true
			}
		}
		for _, part := range asciiParts(raw) {
			if s.found(part, depth-1) {
				return true
			}
		}
	}
	return false
}

// inPlain is in for a normalized text, without its encodings.
func (s *secrets) inPlain(text string) bool {
	for at := 0; at+blockSize <= len(text); at++ {
		for _, place := range s.blocks[[blockSize]byte([]byte(text[at:at+blockSize]))] {
			if sharedRun(text, at, s.known[place.secret], place.at) >= secretRun {
				return true
			}
		}
	}
	return slices.ContainsFunc(s.short, func(secret string) bool { return strings.Contains(text, secret) })
}

// sharedRun returns how many characters two texts share around a place in each.
func sharedRun(a string, at int, b string, bt int) int {
	before := 0
	for before < min(at, bt) && a[at-before-1] == b[bt-before-1] {
		before++
	}
	after := 0
	for at+after < len(a) && bt+after < len(b) && a[at+after] == b[bt+after] {
		after++
	}
	return before + after
}

// redact returns a text, fit to be printed, or a remark in its place if it repeats
// a secret.
func (s *secrets) redact(text string) string {
	text = printable(text)
	if s.in(text) {
		return "(hidden because it contains a secret)"
	}
	return text
}

var errRedacted = errors.New("response hidden because it contains a secret")

// redacted is an error whose text repeats a secret.
type redacted struct{ cause error }

func (redacted) Error() string { return errRedacted.Error() }

func (r redacted) Unwrap() error { return r.cause }

// safe returns an error that wraps err and whose text is fit to be printed and
// repeats no secret.
func (s *secrets) safe(err error) error {
	text := printable(err.Error())
	switch {
	case s.in(text):
		return redacted{err}
	case text != err.Error():
		return cleaned{err, text}
	}
	return err
}

// cleaned is an error whose text was not fit to be printed.
type cleaned struct {
	cause error
	text  string
}

func (c cleaned) Error() string { return c.text }

func (c cleaned) Unwrap() error { return c.cause }

// normalize returns a text for comparison: in lower case, as hosts are.
func normalize(text string) string { return strings.ToLower(compact(text)) }

// compact makes the two base64 alphabets one, and strips a text.
func compact(text string) string {
	return strings.NewReplacer("-", "+", "_", "/").Replace(strip(text))
}

// strip removes what can be put between the characters of a secret without hiding
// it from a reader.
func strip(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.C, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text)
}

var (
	hexRun    = regexp.MustCompile(`[0-9A-Fa-f]{16,}`)
	base64Run = regexp.MustCompile(`[0-9A-Za-z+/]{11,}`)
)

// binaries returns the bytes of each run of hexadecimal and base64, from every
// offset, since words may stand in front of it.
func binaries(text string) [][]byte {
	var all [][]byte
	for _, run := range hexRun.FindAllString(text, -1) {
		for offset := range 2 {
			even := run[offset : len(run)-(len(run)-offset)%2]
			if raw, err := hex.DecodeString(even); err == nil {
				all = append(all, raw)
			}
		}
	}
	for _, run := range base64Run.FindAllString(text, -1) {
		for offset := range 4 {
			part := run[offset:]
			if len(part)%4 == 1 { // which no encoding ends with
				part = part[:len(part)-1]
			}
			if raw, err := base64.RawStdEncoding.DecodeString(part); err == nil {
				all = append(all, raw)
			}
		}
	}
	return all
}

// asciiParts returns the parts of bytes that can be a text.
func asciiParts(raw []byte) []string {
	return strings.FieldsFunc(string(raw), func(r rune) bool {
		return r == utf8.RuneError || r > unicode.MaxASCII && !unicode.Is(unicode.Cf, r)
	})
}

var escapedRune = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.`)

// unescapeJSON replaces the escapes of a JSON string, wherever they stand.
func unescapeJSON(text string) string {
	return escapedRune.ReplaceAllStringFunc(text, func(escape string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+escape+`"`), &plain) != nil {
			return escape
		}
		return plain
	})
}

var escapedByte = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// unescapeURL replaces the escapes of a URL, wherever they stand.
func unescapeURL(text string) string {
	return escapedByte.ReplaceAllStringFunc(text, func(escape string) string {
		raw, _ := hex.DecodeString(escape[1:]) // two hexadecimal digits
		return string(raw)
	})
}
