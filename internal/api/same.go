package api

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"time"
)

// What tells whether an object carries exactly what a creation sent. A service
// may spell it otherwise, so it is compared by what it means; what was left to
// the service to choose is not compared.

func (d Details) same(o *Object) bool {
	return d.Description == o.Description && d.Metadata == o.Metadata
}

// sameKey compares SSH public keys by type and key: a comment makes no
// difference.
func sameKey(a, b string) bool {
	at, ak := keyOf(a)
	bt, bk := keyOf(b)
	return at != "" && at == bt && bytes.Equal(ak, bk)
}

func keyOf(line string) (kind string, key []byte) {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return "", nil
	}
	key, err := base64.StdEncoding.DecodeString(fields[1])
	if err != nil {
		return "", nil
	}
	return fields[0], key
}

// samePEM compares PEM by what its blocks hold, in order.
func samePEM(a, b string) bool {
	as, bs := blocks(a), blocks(b)
	return len(as) > 0 && slices.EqualFunc(as, bs, bytes.Equal)
}

func blocks(text string) [][]byte {
	var found [][]byte
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		found = append(found, block.Bytes)
	}
	return found
}

// sameTime compares RFC 3339 timestamps by their instant.
func sameTime(a, b string) bool {
	at, aErr := time.Parse(time.RFC3339, a)
	bt, bErr := time.Parse(time.RFC3339, b)
	return aErr == nil && bErr == nil && at.Equal(bt)
}

// sameSet compares lists whose order has no meaning, and in which a text counts
// once.
func sameSet(a, b []string) bool {
	return slices.Equal(distinct(a), distinct(b))
}

func distinct(texts []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}
