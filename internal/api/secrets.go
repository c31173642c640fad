package api

// This file keeps a promise: no error and no log shows a secret that was sent.

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

const (
	// minSecretLength is the minimum length of a header value that counts as a
	// secret. Shorter ones occur in ordinary words, and so does a shorter API key.
	minSecretLength = 16
	// maxWord is the maximum length of a word in a message that answers a request
	// with a secret, such as a private key. Ids are shorter; every usual encoding of
	// a key is longer, and a line of PEM has 64 characters.
	maxWord = 39
)

// secrets are the usual encodings, in lower case, of the API key and of the
// header values that are long enough to be secret.
type secrets struct {
	forms []string
	// word matches a short API key, which is secret only as a whole word: a part
	// of a host name or an id is not. It is nil if there is none.
	word *regexp.Regexp
	// later are the secrets of the API keys that were read later. All copies of
	// this value share them.
	later *atomic.Pointer[secrets]
}

func newSecrets(config Config) secrets {
	all := secrets{later: new(atomic.Pointer[secrets])}
	if short := config.APIKey; short != "" && len(short) < minSecretLength {
		forms := formsOf(short)
		for i := range forms {
			forms[i] = regexp.QuoteMeta(forms[i])
		}
		all.word = regexp.MustCompile(`(^|[^a-z0-9._-])(` + strings.Join(forms, "|") + `)[._-]*($|[^a-z0-9._-])`)
	} else {
		all.add(short)
	}
	for _, value := range config.Headers {
		if len(value) >= minSecretLength {
			all.add(value)
		}
	}
	return all
}

// learn adds an API key to a value of newSecrets and all its copies. Two calls must
// not run at once.
func (s secrets) learn(key string) {
	next := newSecrets(Config{APIKey: key})
	next.later.Store(s.later.Load())
	s.later.Store(&next)
}

// with returns s and another secret.
func (s secrets) with(secret string) secrets {
	more := newSecrets(Config{APIKey: secret})
	more.later.Store(&s)
	return more
}

func (s *secrets) add(secret string) { s.forms = append(s.forms, formsOf(secret)...) }

// formsOf returns the usual encodings of a secret, in lower case.
func formsOf(secret string) []string {
	if secret == "" {
		return nil
	}
	quoted, _ := json.Marshal(secret) //nolint:errchkjson // a string
	forms := []string{
		secret,
		url.QueryEscape(secret),
		url.PathEscape(secret),
		string(quoted[1 : len(quoted)-1]),
		hex.EncodeToString([]byte(secret)),
	}
	for offset := range 3 { // of the secret in the encoded text
		padded := append(make([]byte, offset), secret...)
		from := (offset*8 + 5) / 6 // the characters before depend on other text
		to := len(padded) * 8 / 6  // so do those after
		forms = append(forms, base64.RawStdEncoding.EncodeToString(padded)[from:to], base64.RawURLEncoding.EncodeToString(padded)[from:to])
	}
	for i, form := range forms {
		forms[i] = strings.ToLower(form)
	}
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), func(form string) bool { return form == "" })
}

// in reports whether a text contains a secret.
func (s secrets) in(text string) bool {
	if s.later != nil {
		if later := s.later.Load(); later != nil && later.in(text) {
			return true
		}
	}
	text = strings.ToLower(text)
	return s.word != nil && s.word.MatchString(text) ||
		slices.ContainsFunc(s.forms, func(form string) bool { return strings.Contains(text, form) })
}

// hasLongWord reports whether a message may contain a private key.
func hasLongWord(message string) bool {
	return slices.ContainsFunc(strings.Fields(message), func(word string) bool { return len(word) > maxWord })
}

const redacted = "(hidden because it contains a secret)"

// redact returns a text that is safe to print, or a remark instead of it if it
// contains a secret.
func (s secrets) redact(text string) string {
	if text = printable(text); s.in(text) {
		return redacted
	}
	return text
}

var errRedacted = errors.New("response " + redacted)

// safe returns an error that wraps err, with a text that is safe to print and
// contains no secret.
func (s secrets) safe(err error) error {
	text := printable(err.Error())
	if errors.Is(err, context.Canceled) { // Terraform has stopped the provider
		text = strings.Replace(text, context.Canceled.Error(), "the run was interrupted", 1)
	}
	switch {
	case s.in(text):
		return redactedError{err, errRedacted.Error()}
	case text != err.Error():
		return redactedError{err, text}
	}
	return err
}

// redactedError replaces the text of an error.
type redactedError struct {
	cause error
	text  string
}

func (e redactedError) Error() string { return e.text }

func (e redactedError) Unwrap() error { return e.cause }
