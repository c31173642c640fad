package attribute

import (
	"encoding/pem"
	"fmt"
	"regexp"
	"strings"
)

var pemBegin = regexp.MustCompile(`(?m)^-----BEGIN `)

// pemBlocks returns the PEM blocks of a text. A block that is damaged is an
// error: the standard library would pass it over in silence, and a chain would
// lack a certificate. The error never repeats the text.
func pemBlocks(text string) ([]*pem.Block, error) {
	var blocks []*pem.Block
	begins := pemBegin.FindAllStringIndex(text, -1)
	for i, begin := range begins {
		end := len(text)
		if i+1 < len(begins) {
			end = begins[i+1][0]
		}
		block, _ := pem.Decode([]byte(text[begin[0]:end]))
		if block == nil {
			return nil, damaged(i+1, text)
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

func damaged(number int, text string) error {
	if strings.Contains(text, `\n`) {
		return fmt.Errorf(`cannot be read: it holds \n as two characters where a line should end; replace(…, "\\n", "\n") mends that`)
	}
	return fmt.Errorf("cannot be read: PEM block %d is damaged; look for a line that is missing, cut off or indented, up to its -----END line", number)
}
