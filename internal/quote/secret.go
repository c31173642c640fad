package quote

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"
)

// keyContent matches the beginning of a private key and 40 characters of its
// content: PEM, OpenSSH, PGP, PuTTY, RFC 4716 and age. The shortest key has 52. Line ends
// can be spaces, missing, or escaped as in JSON. Headers such as Proc-Type can stand
// before the content.
var keyContent = regexp.MustCompile(
	`(?:-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|Private-Lines: [0-9]+)` +
		`(?:` + separator + `|[A-Za-z-]+: [^\n\\]*` + separator + `)*(?:[A-Za-z0-9+/]` + separator + `*){40}` +
		`|(?i:AGE-SECRET-KEY-(?:PQ-)?1[a-z0-9]{40})`,
)

const separator = `(?:\s|\\+[nrt])`

// HasKeyContent reports whether a text certainly contains a private key, or a part
// of its content. A text that only mentions one, such as its first line, does not.
func HasKeyContent(text string) bool { return HasPrivateKey(text) && keyContent.MatchString(text) }

// accessKey matches the form of an AWS secret access key.
var accessKey = regexp.MustCompile(`^[A-Za-z0-9+/]{40}$`)

// IsSecretAccessKey reports whether a text is an AWS secret access key: 40
// characters of base64, with digits and letters of both cases. A hash in hexadecimal
// and a readable text in base64 are none.
func IsSecretAccessKey(text string) bool {
	text = strings.Trim(text, " \t\r\n\"'")
	if !accessKey.MatchString(text) {
		return false
	}
	for _, needed := range []string{"0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
		if !strings.ContainsAny(text, needed) {
			return false
		}
	}
	content, err := base64.StdEncoding.DecodeString(text)
	return err == nil && (!utf8.Valid(content) || Line(string(content)) != string(content))
}
