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
	// secretRun is the number of consecutive characters that a text and a
	// secret must share for the text to count as a leak. Spaces and control
	// characters are ignored.
	secretRun = 16
	// guessable is the minimum length of a secret. Shorter secrets occur in
	// ordinary words and are ignored.
	guessable = 8
	blockSize = secretRun / 2
)

// secrets holds the secrets that a client has sent. It detects texts that
// repeat a secret or a part of it, in plain text or in base64, hexadecimal,
// URL, HTML or JSON encoding.
type secrets struct {
	mu    sync.RWMutex
	known []string // normalized, each once
	short []string // those of known that are shorter than secretRun
	// blocks holds the places of the blocks at each multiple of blockSize in a
	// secret. Every run of secretRun characters contains a whole block.
	blocks map[[blockSize]byte][]place
}

// place is the position of a block in a secret.
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

// add adds secrets. Only the secret part of a PEM-encoded private key counts,
// because a message may quote the armor, and all keys of a type begin with the
// same bytes.
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

// in reports whether a text repeats a secret. It returns true for a text with
// too many encodings to search.
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
	searchBytes = 1 << 20 // total length of the searched texts, including decoded ones
	searchDepth = 3       // levels of nested encodings
)

// search searches for secrets in a text and in its decoded parts.
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
		for offset := range min(3, len(raw)) { // secret parts of private keys are stored as base64
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

// inPlain is like in, for a normalized text that is not decoded.
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

// sharedRun returns the length of the run that two texts share around a
// position in each.
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

// redact returns a text that is safe to print, or a remark instead of it if it
// repeats a secret.
func (s *secrets) redact(text string) string {
	text = printable(text)
	if s.in(text) {
		return "(hidden because it contains a secret)"
	}
	return text
}

var errRedacted = errors.New("response hidden because it contains a secret")

// redacted replaces the text of an error that repeats a secret.
type redacted struct{ cause error }

func (redacted) Error() string { return errRedacted.Error() }

func (r redacted) Unwrap() error { return r.cause }

// safe returns an error that wraps err, with a text that is safe to print and
// repeats no secret. It returns err if its text is so already.
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

// cleaned replaces the text of an error that was not safe to print.
type cleaned struct {
	cause error
	text  string
}

func (c cleaned) Error() string { return c.text }

func (c cleaned) Unwrap() error { return c.cause }

// normalize returns a compact text in lower case, for comparison. A secret that
// is part of a host name is converted to lower case.
func normalize(text string) string { return strings.ToLower(compact(text)) }

// compact replaces the URL alphabet of base64 with the standard one, and strips
// a text.
func compact(text string) string {
	return strings.NewReplacer("-", "+", "_", "/").Replace(strip(text))
}

// strip removes the characters that can separate the characters of a secret but
// leave it readable.
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

// binaries decodes each run of hexadecimal or base64 characters. It decodes
// from every offset, because a run may begin with other text.
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
			if len(part)%4 == 1 { // no encoding has this length
				part = part[:len(part)-1]
			}
			if raw, err := base64.RawStdEncoding.DecodeString(part); err == nil {
				all = append(all, raw)
			}
		}
	}
	return all
}

// asciiParts returns the parts of raw that can be a text.
func asciiParts(raw []byte) []string {
	return strings.FieldsFunc(string(raw), func(r rune) bool {
		return r == utf8.RuneError || r > unicode.MaxASCII && !unicode.Is(unicode.Cf, r)
	})
}

var escapedRune = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\.`)

// unescapeJSON replaces the escapes of a JSON string anywhere in a text.
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

// unescapeURL replaces the escapes of a URL anywhere in a text.
func unescapeURL(text string) string {
	return escapedByte.ReplaceAllStringFunc(text, func(escape string) string {
		raw, _ := hex.DecodeString(escape[1:]) // two hexadecimal digits
		return string(raw)
	})
}
