package pki

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Recipient is who can decrypt a text: an age recipient, or an SSH public key of the
// type Ed25519 or RSA. Two values are the same if they contain the same key. Comments
// are ignored.
type Recipient = attribute.Value[recipient]

// RecipientType is the type of Recipient.
type RecipientType = attribute.Type[recipient]

type recipient struct{}

func (recipient) Name() string { return "recipient" }

// Check encrypts on trial, because some keys have the right form, and nothing can be
// encrypted for them.
func (recipient) Check(text string) error {
	_, err := Encrypt("", text)
	return err
}

func (recipient) Same(a, b string) bool {
	return PublicKeyLine(a) == PublicKeyLine(b) || publicKey{}.Same(a, b)
}

const (
	recipientForm = "must be an age recipient (age1…) or an SSH public key of the type Ed25519 or RSA"
	identityForm  = "must be an age identity (AGE-SECRET-KEY-1…) or an SSH private key of the type Ed25519 or RSA"
	ageIdentity   = "AGE-SECRET-KEY-"
)

// parseRecipient parses a recipient. The error never repeats the text, which may be a
// private key by mistake.
func parseRecipient(text string) (age.Recipient, error) {
	line := PublicKeyLine(text)
	if strings.Contains(line, ageIdentity) {
		return nil, errors.New(recipientForm + "; found a private key. Use the output of age-keygen -y KEYFILE")
	}
	if strings.HasPrefix(line, "age1") {
		if all, err := age.ParseRecipients(strings.NewReader(line)); err == nil && len(all) == 1 {
			return all[0], nil
		}
		return nil, errors.New(recipientForm + "; found an age recipient that is damaged or needs a plugin")
	}
	key, err := ParsePublicKey(line)
	switch {
	case err != nil && strings.HasPrefix(line, "ssh-"), err != nil && quote.HasPrivateKey(line):
		return nil, err
	case err != nil:
		return nil, errors.New(recipientForm + "; found a string of another form. To create a recipient, use age-keygen")
	case !slices.Contains([]string{ssh.KeyAlgoED25519, ssh.KeyAlgoRSA}, key.Type()):
		return nil, errors.New(recipientForm + "; found " + key.Type())
	}
	if err := checkPublicKeySize(line); err != nil {
		return nil, err
	}
	to, err := agessh.ParseRecipient(line)
	if err != nil {
		return nil, errCannotEncrypt
	}
	return to, nil
}

// errCannotEncrypt is the error for a key of the right form, such as 32 zero bytes.
// That of the library repeats the key.
var errCannotEncrypt = errors.New(recipientForm + "; found a key for which nothing can be encrypted, because it is damaged or a " +
	"placeholder. To create a recipient, use age-keygen")

// Encrypt returns a text as an armored age file that only a recipient can decrypt. An
// error depends on the recipient alone.
func Encrypt(text, recipient string) (string, error) {
	to, err := parseRecipient(recipient)
	if err != nil {
		return "", err
	}
	var encrypted strings.Builder
	armored := armor.NewWriter(&encrypted)
	into, err := age.Encrypt(armored, to)
	if err != nil {
		return "", errCannotEncrypt
	}
	_, err = io.WriteString(into, text)
	err = errors.Join(err, into.Close(), armored.Close())
	return encrypted.String(), err
}

// ParseIdentity parses an age identity, such as the content of a file of age-keygen, or
// an SSH private key without a passphrase. The error never repeats the text.
func ParseIdentity(text string) ([]age.Identity, error) {
	text = strings.TrimSpace(attribute.FileText(text))
	if strings.Contains(text, "PRIVATE KEY-----") {
		key, err := agessh.ParseIdentity([]byte(text))
		_, locked := errors.AsType[*ssh.PassphraseMissingError](err)
		switch {
		case locked || strings.Contains(text, "ENCRYPTED"):
			return nil, errors.New("must not need a passphrase. Remove it from a copy of the key with: ssh-keygen -p -N '' -f COPY")
		case err != nil:
			return nil, errors.New(identityForm + "; found a private key that is damaged or of another type")
		}
		return []age.Identity{key}, nil
	}
	switch {
	case strings.HasPrefix(text, "age1"), strings.HasPrefix(text, "ssh-"):
		return nil, errors.New(identityForm + "; found a public key")
	case filePath.MatchString(text):
		return nil, errors.New(identityForm + "; found a file path. Read the file with file()")
	}
	keys, err := age.ParseIdentities(strings.NewReader(text))
	if err != nil { // not repeated, because it can contain a part of the text
		return nil, errors.New(identityForm)
	}
	return keys, nil
}

const maxDecrypted = 1 << 20 // bytes

// Decrypt returns the text in an armored age file.
func Decrypt(encrypted string, keys []age.Identity) (string, error) {
	from, err := age.Decrypt(armor.NewReader(strings.NewReader(strings.TrimSpace(attribute.FileText(encrypted)))), keys...)
	if _, other := errors.AsType[*age.NoIdentityMatchError](err); other {
		return "", errors.New("is encrypted for another recipient than that of identity")
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(from, maxDecrypted))
	}
	if err != nil || !utf8.Valid(text) {
		return "", errors.New("must be a complete armored age file, from -----BEGIN AGE ENCRYPTED FILE----- to -----END AGE ENCRYPTED FILE-----")
	}
	return string(text), nil
}
