package api

// This file keeps a promise: no error and no log shows a secret that was sent, or a new
// one.

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
)

const (
	// minKeyLength and minHeaderLength are the minimum lengths of an API key and of a
	// header value that count as secrets. Shorter ones occur in ordinary words.
	minKeyLength    = 8
	minHeaderLength = 16
	// minSecretWord is the minimum length of a word that may be a secret, in the message
	// of a response to a request with a secret.
	minSecretWord = 20
)

// secrets are the texts that nobody may see: the API key, header values, and what a
// request contains. Only the texts themselves are found, no encodings of them.
type secrets []string

func newSecrets(config Config) secrets {
	var all secrets
	if len(config.APIKey) >= minKeyLength {
		all = append(all, config.APIKey)
	}
	for _, value := range config.Headers {
		if len(value) >= minHeaderLength {
			all = append(all, value)
		}
	}
	return all
}

// with returns s and another secret.
func (s secrets) with(secret string) secrets { return append(slices.Clone(s), secret) }

// in reports whether a text contains a secret.
func (s secrets) in(text string) bool {
	return slices.ContainsFunc(s, func(secret string) bool { return strings.Contains(text, secret) })
}

// idForm is the form of an id with a prefix.
var idForm = regexp.MustCompile(`^[a-z]+_[0-9A-Za-z]+$`)

// mayContainSecret reports whether a message has a word that may be a private key or a
// token: every encoding of one is long, and has no prefix of an id.
func mayContainSecret(message string) bool {
	return slices.ContainsFunc(strings.Fields(message), func(word string) bool {
		word = strings.Trim(word, "\"'`.,:;()[]{}<>")
		return len(word) >= minSecretWord && (KindOf(word) == nil || !idForm.MatchString(word))
	})
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
