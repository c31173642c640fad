package api

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	// secretRun is how many characters a text and a secret must share for the
	// text to count as a leak. Spaces and control characters do not count.
	secretRun = 16
	// guessable is the length below which a secret is found in ordinary words.
	guessable = 8
)

// secrets are the secrets that a client has sent. They recognize a text that
// repeats one of them, or a part of one, plainly or in base64, hexadecimal, URL,
// HTML or JSON encoding.
type secrets struct {
	mu    sync.RWMutex
	known []string // normalized, each once
}

// newSecrets returns the secrets of a configuration: the API key, and the header
// values that are long enough to be secret.
func newSecrets(config Config) *secrets {
	s := &secrets{}
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
			if part = normalize(part); len(part) >= guessable && !slices.Contains(s.known, part) {
				s.known = append(s.known, part)
			}
		}
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
// its first long integer or octet string: version, algorithm and lengths.
func constantStart(der []byte) int {
	const long = 16 // bytes
	for at := 0; at+2 <= len(der); {
		tag, length, start := der[at], int(der[at+1]), at+2
		if length >= 0x80 { // so many bytes of length follow
			size := length & 0x7f
			if size > 3 || start+size > len(der) {
				return at
			}
			length = 0
			for _, b := range der[start : start+size] {
				length = length<<8 | int(b)
			}
			start += size
		}
		nested := start < len(der) && tag == 0x04 && (der[start] == 0x30 || der[start] == 0x04) && start+1 < len(der) && int(der[start+1]) <= length
		switch {
		case tag&0x20 != 0 || nested: // a structure, or an octet string with one in it
			at = start
		case length >= long:
			return start
		default:
			at = start + length
		}
	}
	return 0
}

// in reports whether a text repeats a secret.
func (s *secrets) in(text string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.known) == 0 || len(text) < guessable {
		return false
	}
	runs := map[string]bool{}
	var whole []string
	for _, reading := range readings(text) {
		reading = normalize(reading)
		whole = append(whole, reading)
		for at := range len(reading) - secretRun + 1 {
			runs[reading[at:at+secretRun]] = true
		}
	}
	for _, secret := range s.known {
		if len(secret) < secretRun {
			if slices.ContainsFunc(whole, func(reading string) bool { return strings.Contains(reading, secret) }) {
				return true
			}
			continue
		}
		for at := range len(secret) - secretRun + 1 {
			if runs[secret[at:at+secretRun]] {
				return true
			}
		}
	}
	return false
}

// redact returns a text, or a remark in its place if it repeats a secret.
func (s *secrets) redact(text string) string {
	if s.in(text) {
		return "(not shown: it repeats a secret that was sent)"
	}
	return text
}

var errRedacted = errors.New("the service's answer repeats a secret that was sent, and is not shown")

// redacted is an error whose text repeats a secret.
type redacted struct{ cause error }

func (redacted) Error() string { return errRedacted.Error() }

func (r redacted) Unwrap() error { return r.cause }

// safe returns an error that wraps err and whose text repeats no secret.
func (s *secrets) safe(err error) error {
	if s.in(err.Error()) {
		return redacted{err}
	}
	return err
}

// normalize removes what can be put between the characters of a secret without
// hiding it from a reader, and makes the two base64 alphabets one.
func normalize(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case unicode.IsSpace(r), unicode.Is(unicode.C, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
}

const maxReadings = 200

// readings returns a text and what it says if parts of it are encoded, up to
// three times over.
func readings(text string) []string {
	all := []string{text}
	begin := 0
	for range 3 {
		end := len(all)
		for _, reading := range all[begin:end] {
			for _, decoded := range decodings(reading) {
				if len(all) < maxReadings && len(decoded) >= guessable && !slices.Contains(all, decoded) {
					all = append(all, decoded)
				}
			}
		}
		begin = end
	}
	return all
}

var (
	hexRun    = regexp.MustCompile(`[0-9A-Fa-f]{16,}`)
	base64Run = regexp.MustCompile(`[0-9A-Za-z+/]{11,}`)
)

// decodings returns what a text says in each encoding. Runs of hexadecimal and
// base64 are read from every offset, since words may stand in front of them.
func decodings(text string) []string {
	decoded := []string{html.UnescapeString(text), unescapeJSON(text)}
	if unescaped, err := url.PathUnescape(text); err == nil {
		decoded = append(decoded, unescaped)
	}
	compact := normalize(text)
	for _, run := range hexRun.FindAllString(compact, -1) {
		for offset := range 2 {
			even := run[offset : len(run)-(len(run)-offset)%2]
			if raw, err := hex.DecodeString(even); err == nil {
				decoded = append(decoded, binary(raw)...)
			}
		}
	}
	for _, run := range base64Run.FindAllString(compact, -1) {
		for offset := range 4 {
			part := run[offset:]
			if len(part)%4 == 1 { // which no encoding ends with
				part = part[:len(part)-1]
			}
			if raw, err := base64.RawStdEncoding.DecodeString(part); err == nil {
				decoded = append(decoded, binary(raw)...)
			}
		}
	}
	return decoded
}

// binary returns bytes as a text, and in base64 from every offset, which is how
// the secret part of a private key is known.
func binary(raw []byte) []string {
	texts := []string{strings.ToValidUTF8(string(raw), "")}
	for offset := range min(3, len(raw)) {
		texts = append(texts, base64.StdEncoding.EncodeToString(raw[offset:]))
	}
	return texts
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
