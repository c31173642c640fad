package pki

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"regexp"
	"strings"

	"golang.org/x/crypto/ssh"
)

// PublicKeyLine returns an SSH public key in PEM or RFC 4716 format, or without its type,
// as one line in OpenSSH authorized-keys format, and any other text without surrounding
// white space and byte order mark.
func PublicKeyLine(text string) string {
	text = strings.Trim(text, blanks+"\r\n")
	for _, parse := range []func(string) ssh.PublicKey{pemKey, rfc4716Key, bareKey} {
		if key := parse(text); key != nil {
			return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
		}
	}
	return text
}

// bareKey returns the public key of a line that lacks the type, which the key contains,
// too. It returns nil for other texts.
func bareKey(text string) ssh.PublicKey {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !strings.HasPrefix(text, "AAAA") {
		return nil
	}
	key, err := ssh.ParsePublicKey(content)
	if err != nil {
		return nil
	}
	return key
}

var indentation = regexp.MustCompile("(?m)^[" + blanks + "]+")

// pemKey returns the public key of a text in PEM, nil if it is not one. Lines may be
// indented.
func pemKey(text string) ssh.PublicKey {
	text = indentation.ReplaceAllString(text, "")
	block, rest := pem.Decode([]byte(text))
	if block == nil || len(bytes.TrimSpace(rest)) > 0 || !strings.HasPrefix(text, pemBegin) {
		return nil
	}
	var public any
	switch block.Type {
	case "PUBLIC KEY":
		public, _ = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		public, _ = x509.ParsePKCS1PublicKey(block.Bytes)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		return nil
	}
	return key
}

// rfc4716Header matches a header with its continuation lines.
var rfc4716Header = regexp.MustCompile(`(?m)^[^:\n]+:(.*\\\n)*.*$`)

// rfc4716Key returns the public key of a text in RFC 4716 format, nil if it is
// not one.
func rfc4716Key(text string) ssh.PublicKey {
	body, begins := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---- BEGIN SSH2 PUBLIC KEY ----")
	body, ends := strings.CutSuffix(body, "---- END SSH2 PUBLIC KEY ----")
	content, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(rfc4716Header.ReplaceAllString(body, "")), ""))
	if !begins || !ends || err != nil {
		return nil
	}
	key, err := ssh.ParsePublicKey(content)
	if err != nil {
		return nil
	}
	return key
}
