package keys

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"golang.org/x/crypto/ssh"
)

// SSHKeyTypes maps the supported SSH key algorithms to key_type.
var SSHKeyTypes = map[string]string{
	ssh.KeyAlgoRSA:      "rsa",
	ssh.KeyAlgoECDSA256: "ecdsa",
	ssh.KeyAlgoECDSA384: "ecdsa",
	ssh.KeyAlgoECDSA521: "ecdsa",
	ssh.KeyAlgoED25519:  "ed25519",
}

// CredentialKeyTypes are the algorithms of SSH credentials: also keys of FIDO
// devices.
var CredentialKeyTypes = with(SSHKeyTypes, map[string]string{ssh.KeyAlgoSKED25519: "ed25519", ssh.KeyAlgoSKECDSA256: "ecdsa"})

func with(types, more map[string]string) map[string]string {
	types = maps.Clone(types)
	maps.Copy(types, more)
	return types
}

// sshHeader matches a header of RFC 4716 with its continuation lines.
var sshHeader = regexp.MustCompile(`(?m)^[^:\n]+:(.*\\\n)*.*$`)

// SSHLine converts a public key in PEM, as PKIX or in the format of RFC 4716,
// to one line in authorized-keys format. It returns an empty string for other
// text.
func SSHLine(text string) string {
	var key ssh.PublicKey
	text = strings.TrimSpace(text)
	if block, rest := pem.Decode([]byte(text)); block != nil && block.Type == "PUBLIC KEY" && len(rest) == 0 {
		if public, err := x509.ParsePKIXPublicKey(block.Bytes); err == nil {
			key, _ = ssh.NewPublicKey(public) // nil for other algorithms
		}
	}
	if body, ok := strings.CutPrefix(text, "---- BEGIN SSH2 PUBLIC KEY ----"); ok {
		body, ended := strings.CutSuffix(body, "---- END SSH2 PUBLIC KEY ----")
		body = sshHeader.ReplaceAllString(strings.ReplaceAll(body, "\r\n", "\n"), "")
		if blob, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(body), "")); err == nil && ended {
			key, _ = ssh.ParsePublicKey(blob) // nil for damaged keys
		}
	}
	if key == nil {
		return ""
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}

// MinRSABits is the minimum length of an RSA key for SSH and TLS.
const MinRSABits = 2048

// ReadSSHPublicKey reads a required public key in authorized-keys format: one line
// without options. It returns the text without surrounding white space.
func ReadSSHPublicKey(in *body.Object, name string, types map[string]string) (text string, key ssh.PublicKey) {
	text = strings.TrimSpace(in.Required(name))
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(text))
	switch {
	case text == "":
		in.Refuse(name, "%s is required", name)
	case strings.Contains(text, "PRIVATE KEY"):
		in.Refuse(name, "%s is a private key: send the public key, and replace this key pair because its private key was sent", name)
	case strings.ContainsAny(text, "\r\n"):
		in.Refuse(name, "%s must be a single line", name)
	case err != nil:
		in.Refuse(name, "%s must be a public key in OpenSSH authorized-keys format", name)
	case len(options) > 0:
		in.Refuse(name, "%s must start with the key type: options are not allowed", name)
	case types[key.Type()] == "":
		in.Refuse(name, "%s has an unsupported type: expected rsa, ecdsa or ed25519, found %s", name, key.Type())
	default:
		in.Rule(rsaBits(key) == 0 || rsaBits(key) >= MinRSABits, name,
			"%s is too short: expected an RSA key of at least %d bits, found %d", name, MinRSABits, rsaBits(key))
	}
	return text, key
}

// rsaBits returns the length of an RSA key in bits, and 0 for other keys.
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

// SSHBlob returns the binary form of a public key, which identifies it. It
// contains the type and the numbers, but not the comment.
func SSHBlob(text string) string {
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

// NewSSH returns a new ed25519 key.
func NewSSH() (ssh.Signer, error) {
	key, err := New("ed25519", nil, 0)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(key)
}

// PublicKeyFor derives an ed25519 public key in authorized-keys format from a
// name.
func PublicKeyFor(name string) string {
	point := sha256.Sum256([]byte(name))
	var blob []byte
	for _, part := range []string{ssh.KeyAlgoED25519, string(point[:])} {
		blob = binary.BigEndian.AppendUint32(blob, uint32(len(part)))
		blob = append(blob, part...)
	}
	key, err := ssh.ParsePublicKey(blob)
	if err != nil {
		panic(fmt.Sprintf("testserver: create a public key: %v", err)) // any 32 bytes are a valid key
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}
