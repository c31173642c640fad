package pki

import (
	"bytes"
	"crypto/rsa"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// PublicKey is an SSH public key in OpenSSH's authorized-keys format, PEM or RFC 4716
// format. Two keys are the same if their types and key data are equal. Comments are
// ignored.
type PublicKey = attribute.Value[publicKey]

// PublicKeyType is the type of PublicKey.
type PublicKeyType = attribute.Type[publicKey]

type publicKey struct{}

func (publicKey) Name() string { return "SSH public key" }

// Canonical returns a key as one line.
func (publicKey) Canonical(text string) string { return PublicKeyLine(text) }

func (publicKey) Check(text string) error {
	_, err := ParsePublicKey(text)
	return err
}

func (publicKey) Same(a, b string) bool { return sameKey(a, b, sshKeyTypes) }

func sameKey(a, b string, types []string) bool {
	ak, aErr := parsePublicKey(a, types)
	bk, bErr := parsePublicKey(b, types)
	return aErr == nil && bErr == nil && bytes.Equal(ak.Marshal(), bk.Marshal())
}

// PublicKeyParameters returns the type (ed25519, ecdsa or rsa) of a key in
// OpenSSH authorized-keys format, with the elliptic curve (p256, p384 or p521)
// of an ECDSA key, or the size in bits of an RSA key. For other keys and
// unreadable ones, the results are "" and 0.
func PublicKeyParameters(text string) (keyType, curve string, bits int) {
	key, err := ParsePublicKey(text)
	if err != nil {
		return "", "", 0
	}
	switch key.Type() {
	case ssh.KeyAlgoED25519:
		return "ed25519", "", 0
	case ssh.KeyAlgoECDSA256:
		return "ecdsa", "p256", 0
	case ssh.KeyAlgoECDSA384:
		return "ecdsa", "p384", 0
	case ssh.KeyAlgoECDSA521:
		return "ecdsa", "p521", 0
	}
	if crypto, ok := key.(ssh.CryptoPublicKey); ok {
		if public, ok := crypto.CryptoPublicKey().(*rsa.PublicKey); ok {
			return "rsa", "", public.N.BitLen()
		}
	}
	return "", "", 0
}

// PublicKeySize validates the size of an SSH public key.
var PublicKeySize = attribute.Limit("an RSA key with at least 2048 bits, or another key", checkPublicKeySize)

// checkPublicKeySize returns an error if an SSH public key is an RSA key with
// fewer than 2048 bits. It returns nil if text is not a valid key.
func checkPublicKeySize(text string) error {
	if _, _, bits := PublicKeyParameters(text); bits > 0 && bits < leastRSABits {
		return fmt.Errorf(
			"must be an RSA key with at least %d bits, or an ECDSA, Ed25519 or FIDO key; found RSA with %d bits. "+
				"Create another key, for example with: ssh-keygen -t ed25519",
			leastRSABits,
			bits,
		)
	}
	return nil
}

const publicKeyForm = `must be one line in OpenSSH format, such as the content of id_ed25519.pub ("ssh-ed25519 AAAA… comment")`

// damage says what is wrong with a line that begins with a known key type. It
// returns "" for other lines.
func damage(line string) string {
	fields := strings.Fields(line)
	if len(fields) == 0 || !slices.Contains(sshKeyTypes, fields[0]) { // a line of other white space has no fields
		return ""
	}
	if len(fields) > 1 {
		content, _ := base64.StdEncoding.DecodeString(fields[1])
		for _, other := range sshKeyTypes {
			if other != fields[0] && bytes.HasPrefix(content, binary.BigEndian.AppendUint32(nil, uint32(len(other)))) &&
				bytes.HasPrefix(content[4:], []byte(other)) { //nolint:gosec // a short name
				return ": the line begins with " + fields[0] + ", but the key is of type " + other
			}
		}
	}
	return ": the text after " + fields[0] + " is incomplete or damaged"
}

const keyAlgoDSA = "ssh-dss"

var errDSA = errors.New(
	"must be an RSA, ECDSA or Ed25519 key; found type ssh-dss. Create another key, for example with: ssh-keygen -t ed25519",
)

func isDSA(line string) bool { return strings.HasPrefix(line, keyAlgoDSA+" ") }

var sshKeyTypes = []string{ssh.KeyAlgoRSA, ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521}

// ParsePublicKey parses an SSH public key of the type rsa, ecdsa or ed25519, without
// options before it.
// The error never repeats the text, which may be a private key by mistake.
func ParsePublicKey(text string) (ssh.PublicKey, error) { return parsePublicKey(text, sshKeyTypes) }

// parsePublicKey is ParsePublicKey with the allowed types.
func parsePublicKey(text string, types []string) (ssh.PublicKey, error) {
	line := PublicKeyLine(text)
	decoded, base64Err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(line), ""))
	switch {
	case line == "":
		return nil, errors.New(publicKeyForm + "; found an empty string")
	case quote.HasPrivateKey(line):
		command := "ssh-keygen -y -f KEYFILE" // which cannot read all keys of openssl
		if strings.Contains(line, "PRIVATE KEY-----") && !strings.Contains(line, "OPENSSH") {
			command = "openssl pkey -in KEYFILE -pubout"
		}
		return nil, errors.New(publicKeyForm + "; found a private key. Use the .pub file, or the output of " + command)
	case strings.HasPrefix(line, pemBegin+"CERTIFICATE"), strings.HasPrefix(line, pemBegin+"NEW CERTIFICATE"):
		return nil, errors.New(publicKeyForm + "; found " + otherFile(line) + ". TLS and SSH use different keys")
	case strings.HasPrefix(line, "-----BEGIN") || strings.HasPrefix(line, "---- BEGIN"):
		return nil, errors.New("must be an SSH public key; found damaged PEM or RFC 4716 format, or a key that is not RSA, ECDSA or Ed25519. " +
			"Check that no line is missing")
	case base64Err == nil && (bytes.HasPrefix(decoded, []byte("ssh-")) || bytes.HasPrefix(decoded, []byte("ecdsa-"))):
		return nil, errors.New(publicKeyForm + "; found base64. Decode it with base64decode()")
	case strings.HasPrefix(line, "SHA256:") || strings.HasPrefix(line, "MD5:"):
		return nil, errors.New(publicKeyForm + "; found a fingerprint. Use the key itself, which is in the .pub file")
	case strings.HasPrefix(line, "AAAA"):
		return nil, errors.New(publicKeyForm + "; found a key without its type that is incomplete or damaged")
	case filePath.MatchString(line):
		return nil, errors.New(publicKeyForm + "; found a file path. Read the file with file()")
	case strings.ContainsAny(line, "\r\n"):
		return nil, errors.New(publicKeyForm + "; found more than one line")
	}
	if isDSA(line) && !slices.Contains(types, keyAlgoDSA) {
		return nil, errDSA
	}
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return nil, errors.New("is not a valid SSH public key" + damage(line) + "; it " + publicKeyForm)
	}
	if host := strings.Join(options, ","); host != "" && (host[0] == '|' || strings.ContainsAny(host, ".:[") && !strings.Contains(host, "=")) {
		return nil, errors.New(publicKeyForm + "; found a line of known_hosts or ssh-keyscan. Remove the host before the type of the key")
	}
	if len(options) > 0 {
		return nil, errors.New(publicKeyForm + "; found authorized_keys options before the key. Remove them")
	}
	if slices.Contains(types, key.Type()) {
		return key, nil
	}
	if _, ok := key.(*ssh.Certificate); ok {
		return nil, fmt.Errorf("must be an SSH public key; found an SSH certificate (%s). Use the .pub file without -cert in its name",
			quote.Foreign(key.Type()))
	}
	return nil, fmt.Errorf("must be an RSA, ECDSA or Ed25519 key; found type %s", quote.Foreign(key.Type()))
}
