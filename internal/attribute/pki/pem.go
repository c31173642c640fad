package pki

import (
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	// blanks are the characters that can surround a line of PEM: white space,
	// and the byte order mark that some editors write at the beginning of a
	// file.
	blanks = " \t\u00a0\ufeff"
)

// pemBlocks returns the PEM blocks of a text, or none if it has none. Lines may
// be indented. A damaged block is an error, and so is a block that does not
// begin at the start of its line: the standard library would skip it, and a
// chain would silently lack a certificate. The error never repeats the text.
func pemBlocks(text string) ([]*pem.Block, error) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	var begins []int // indexes of lines
	for i, line := range lines {
		lines[i] = strings.Trim(line, blanks)
		switch before, _, ok := strings.Cut(lines[i], pemBegin); {
		case ok && before == "":
			begins = append(begins, i)
		case ok && strings.Contains(before, pemEnd):
			return nil, fmt.Errorf(
				"must have each PEM block on its own lines; line %d contains the end of block %d and the beginning of block %d. "+
					"Insert a newline between them, for example with join(\"\\n\", [ ... ])",
				i+1,
				len(begins),
				len(begins)+1,
			)
		case ok && strings.Contains(before, `\n`):
			return nil, errEscapedLineEnds
		case ok:
			return nil, fmt.Errorf(
				"must have -----BEGIN at the start of a line; PEM block %d begins in the middle of line %d, after other text", len(begins)+1, i+1,
			)
		}
	}
	var blocks []*pem.Block
	for i, begin := range begins {
		end := len(lines)
		if i+1 < len(begins) {
			end = begins[i+1]
		}
		block, _ := pem.Decode([]byte(strings.Join(lines[begin:end], "\n") + "\n"))
		if block == nil {
			return nil, damaged(i+1, begin+1, lines[begin])
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

var errEscapedLineEnds = errors.New(`must contain newlines; found the two characters \n instead. Convert it with replace(…, "\\n", "\n")`)

// damaged returns the error for a block that cannot be decoded. Its parameters
// are the number of the block, and the number and text of the block's first
// line.
func damaged(block, line int, first string) error {
	switch {
	case strings.Contains(first, `\n`):
		return errEscapedLineEnds
	case strings.Contains(first, pemEnd):
		return fmt.Errorf(
			"must have each PEM block on several lines; block %d is on one line (line %d), because its newlines were removed. "+
				"In a shell, quote the variable: \"$VAR\"",
			block,
			line,
		)
	}
	return fmt.Errorf(
		"must be valid PEM; block %d, which begins on line %d, is invalid. Check that no line is missing or truncated, and that the "+
			"-----END line is complete",
		block,
		line,
	)
}

// notPEM returns the error for a text without a PEM block: what the text is,
// what is expected, and how to convert it. If the text is not recognized,
// otherwise says what it is. The command is the openssl command that converts
// from DER.
func notPEM(text, otherwise, expected, command string) error {
	found, hint := describeInput(text, command)
	switch {
	case found == "":
		return errors.New(expected + "; found " + otherwise)
	case hint == "":
		return errors.New(expected + "; found " + found)
	}
	return errors.New(expected + "; found " + found + ". " + hint)
}

func describeInput(raw, command string) (found, hint string) {
	text := strings.Trim(raw, blanks+"\r\n")
	decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	toPEM := "Convert the file with: openssl " + command + " -inform DER -in FILE -out PEMFILE"
	switch {
	case text == "":
		return "an empty string", ""
	case err == nil && strings.Contains(string(decoded), pemBegin):
		return "base64-encoded PEM", "Decode it with base64decode()"
	case err == nil && isPKCS12(decoded):
		part := map[string]string{"x509": "-nokeys", "pkey": "-nocerts -nodes"}[command]
		return "base64-encoded PKCS#12", "Write PEM with: openssl pkcs12 -in FILE " + part + " -out PEMFILE"
	case err == nil && isDER(decoded):
		return "base64-encoded DER", toPEM
	case isDER([]byte(raw)), isDER([]byte(text)): // DER can end in a byte that is a blank
		return "DER", toPEM
	case filePath.MatchString(text):
		return "a file path", "Read the file with file()"
	}
	return otherFile(text), ""
}

// otherFile names the content of a file of another kind than a text should be,
// without its content. It returns "" for other texts.
func otherFile(text string) string {
	kind, _, _ := strings.Cut(text, " ")
	switch {
	case quote.HasPrivateKey(text):
		return "a private key"
	case strings.HasPrefix(text, pemBegin+"CERTIFICATE REQUEST"), strings.HasPrefix(text, pemBegin+"NEW CERTIFICATE REQUEST"):
		return "a certificate signing request (CSR)"
	case strings.HasPrefix(text, pemBegin+"CERTIFICATE"):
		return "an X.509 certificate (PEM)"
	case strings.HasSuffix(kind, "-cert-v01@openssh.com"):
		return "an SSH certificate"
	case slices.Contains(credentialKeyTypes, kind):
		return "an SSH public key"
	}
	return ""
}

func isDER(content []byte) bool {
	var value asn1.RawValue
	rest, err := asn1.Unmarshal(content, &value)
	return err == nil && len(rest) == 0 && value.Tag == asn1.TagSequence
}

// isPKCS12 reports whether content is DER of the only structure here that begins with 3.
func isPKCS12(content []byte) bool {
	var file struct {
		Version      int
		Content, MAC asn1.RawValue `asn1:"optional"`
	}
	_, err := asn1.Unmarshal(content, &file)
	return err == nil && file.Version == 3
}

var filePath = regexp.MustCompile(`(?i)^(~|\.{1,2})?[/\\][^\s:]+$|^([a-z]:)?[^\s:]+\.(pem|crt|cer|cert|chain|key|der|pub)$`)
