package quote

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"
)

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
