package api

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"time"
)

// These functions report whether an object has exactly the values of a create
// request. A service may return a value in a different notation, so values are
// compared by meaning. Values that were left to the service are not compared.

func (d Details) same(o *Object) bool {
	return d.Description == o.Description && d.Metadata == o.Metadata
}

// sameKey compares SSH public keys by type and key, without the comment.
func sameKey(a, b string) bool {
	aType, aKey := parseKey(a)
	bType, bKey := parseKey(b)
	return aType != "" && aType == bType && bytes.Equal(aKey, bKey)
}

func parseKey(line string) (keyType string, key []byte) {
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

// samePEM compares PEM by the contents of its blocks, in order.
func samePEM(a, b string) bool {
	as, bs := pemContents(a), pemContents(b)
	return len(as) > 0 && slices.EqualFunc(as, bs, bytes.Equal)
}

func pemContents(text string) [][]byte {
	var contents [][]byte
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		contents = append(contents, block.Bytes)
	}
	return contents
}

// sameTime compares RFC 3339 timestamps by instant.
func sameTime(a, b string) bool {
	at, aErr := time.Parse(time.RFC3339, a)
	bt, bErr := time.Parse(time.RFC3339, b)
	return aErr == nil && bErr == nil && at.Equal(bt)
}

// sameSet compares lists whose order and repetitions have no meaning.
func sameSet(a, b []string) bool {
	return slices.Equal(distinct(a), distinct(b))
}

func distinct(texts []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}
