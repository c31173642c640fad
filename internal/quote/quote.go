// Package quote writes values of users, and texts of services and other strangers,
// into messages.
package quote

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	// longest is the maximum length of a value in a message, in bytes.
	longest = 100
	// PrivateKey stands for a private key in a message.
	PrivateKey = "a private key (not shown)"
)

// privateKey matches the first line of a private key, also if its line endings
// were changed, an identity of age, and the beginning of an Ed25519 key, which is the
// only one that is short enough for Value.
var privateKey = regexp.MustCompile(
	`(?i:AGE-SECRET-KEY-|MC4CAQAwBQYDK2Vw)|PRIVATE KEY-----|PRIVATE KEY BLOCK-----|PuTTY-User-Key-File|SSH2 ENCRYPTED PRIVATE KEY`,
)

// HasPrivateKey reports whether a text contains a private key.
func HasPrivateKey(text string) bool { return privateKey.MatchString(text) }

// Value returns a value in quotation marks. Terraform does not tell a provider
// which values are sensitive, so Value does not show those that can be a secret
// in a wrong place: private keys, secret access keys, texts of several lines (also
// if their line breaks are escaped), and long texts.
func Value(text string) string {
	if what := instead(text); what != "" {
		return what
	}
	return strconv.Quote(text)
}

// Bare is like Value, without quotation marks.
func Bare(text string) string { return cmp.Or(instead(text), Line(text)) }

// Hides reports whether Value does not show a text.
func Hides(text string) bool { return instead(text) != "" }

// instead returns what a message says instead of a text, or "" if it shows the
// text.
func instead(text string) string {
	switch lines := strings.Count(text, "\n") + strings.Count(text, `\n`) + 1; {
	case HasPrivateKey(text):
		return PrivateKey
	case IsSecretAccessKey(text):
		return "what looks like a secret access key (not shown)"
	case lines == 2 && strings.HasSuffix(text, "\n"):
		return fmt.Sprintf("a text of %d bytes that ends with a newline (not shown)", len(text))
	case lines > 1:
		return fmt.Sprintf("a text of %d bytes with %d lines (not shown)", len(text), lines)
	case len(text) > longest:
		return fmt.Sprintf("a text of %d bytes (not shown)", len(text))
	}
	return ""
}
