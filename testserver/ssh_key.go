package testserver

import (
	"crypto/rsa"
	"encoding/base64"
	"strings"

	"golang.org/x/crypto/ssh"
)

// sshKeyTypes has the key_type of the SSH key algorithms that the service takes.
var sshKeyTypes = map[string]string{
	ssh.KeyAlgoRSA:      "rsa",
	ssh.KeyAlgoECDSA256: "ecdsa",
	ssh.KeyAlgoECDSA384: "ecdsa",
	ssh.KeyAlgoECDSA521: "ecdsa",
	ssh.KeyAlgoED25519:  "ed25519",
}

// minRSABits is the shortest RSA key that the service takes, for SSH and TLS.
const minRSABits = 2048

// sshPublicKey reads a required public key in authorized-keys format: one line, no options. The text comes back without
// surrounding white space.
func sshPublicKey(in *object, name string) (text string, key ssh.PublicKey) {
	text = strings.TrimSpace(in.need(name))
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(text))
	switch {
	case text == "":
		in.refuse(name, "%s is required", name)
	case strings.Contains(text, "PRIVATE KEY"):
		in.refuse(name, "%s is a private key; send the public one, and replace this key pair", name)
	case strings.ContainsAny(text, "\r\n"):
		in.refuse(name, "%s must be one line", name)
	case err != nil:
		in.refuse(name, "%s must be a public key in OpenSSH authorized-keys format", name)
	case len(options) > 0:
		in.refuse(name, "%s must begin with the key type, options are not allowed", name)
	case sshKeyTypes[key.Type()] == "":
		in.refuse(name, "%s is of type %s; only rsa, ecdsa and ed25519 are supported", name, key.Type())
	default:
		in.rule(rsaBits(key) == 0 || rsaBits(key) >= minRSABits, name, "%s is an RSA key of %d bits, at least %d are required", name, rsaBits(key), minRSABits)
	}
	return text, key
}

// rsaBits returns the length of an RSA key, 0 for other keys.
func rsaBits(key ssh.PublicKey) int {
	holder, ok := key.(ssh.CryptoPublicKey)
	if !ok {
		return 0
	}
	public, ok := holder.CryptoPublicKey().(*rsa.PublicKey)
	if !ok {
		return 0
	}
	return public.N.BitLen()
}

// sshBlob returns what identifies a public key: type and numbers, without the comment.
func sshBlob(text string) string {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return ""
	}
	blob, err := base64.StdEncoding.DecodeString(fields[1])
	if err != nil {
		return ""
	}
	return string(blob)
}
