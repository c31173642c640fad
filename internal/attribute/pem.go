package attribute

import (
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
	"strings"
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
			return nil, fmt.Errorf("cannot be read: line %d has the end of PEM block %d and the beginning of block %d. Put a line end between them, for example with join(\"\\n\", [ ... ])",
				i+1, len(begins), len(begins)+1)
		case ok && strings.Contains(before, `\n`):
			return nil, errEscapedLineEnds
		case ok:
			return nil, fmt.Errorf("cannot be read: PEM block %d begins in the middle of line %d, after other text. Expected -----BEGIN at the start of its line", len(begins)+1, i+1)
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

var errEscapedLineEnds = errors.New(`cannot be read: it has \n as two characters instead of line ends. Convert it with replace(…, "\\n", "\n")`)

// damaged returns the error for a block that cannot be decoded. Its parameters
// are the number of the block, and the number and text of the block's first
// line.
func damaged(block, line int, first string) error {
	switch {
	case strings.Contains(first, `\n`):
		return errEscapedLineEnds
	case strings.Contains(first, pemEnd):
		return fmt.Errorf("cannot be read: PEM block %d is on one line (line %d), so its line ends were lost. In a shell, put quotes around the variable that holds it", block, line)
	}
	return fmt.Errorf("cannot be read: PEM block %d, from line %d on, is damaged. Look for a line that is missing or cut off, up to its -----END line", block, line)
}

// notPEM returns the error for a text without a PEM block: what the text is,
// what is expected, and how to convert it. If the text is not recognized,
// otherwise says what it is. The command is the openssl command that converts
// from DER.
func notPEM(text, otherwise, expected, command string) error {
	found, hint := insteadOfPEM(text, command)
	switch {
	case found == "":
		return errors.New(otherwise + "; " + expected)
	case hint == "":
		return errors.New(found + "; " + expected)
	}
	return errors.New(found + "; " + expected + ". " + hint)
}

func insteadOfPEM(text, command string) (found, hint string) {
	text = strings.Trim(text, blanks+"\r\n")
	decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	toPEM := "Convert the file with: openssl " + command + " -inform DER -in FILE -out PEMFILE"
	switch {
	case text == "":
		return "is empty", ""
	case err == nil && strings.Contains(string(decoded), pemBegin):
		return "is PEM encoded in base64", "Decode it with base64decode()"
	case err == nil && isDER(decoded):
		return "is DER encoded in base64", toPEM
	case isDER([]byte(text)):
		return "is DER", toPEM
	case filePath.MatchString(text):
		return "is the path of a file", "Read the file with file()"
	}
	return "", ""
}

func isDER(content []byte) bool {
	var value asn1.RawValue
	rest, err := asn1.Unmarshal(content, &value)
	return err == nil && len(rest) == 0 && value.Tag == asn1.TagSequence
}

var filePath = regexp.MustCompile(`(?i)^(~|\.{1,2})?[/\\][^\s:]+$|^([a-z]:)?[^\s:]+\.(pem|crt|cer|cert|chain|key|der|pub)$`)
