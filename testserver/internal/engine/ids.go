package engine

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
	"sync"
	"time"
)

// IDs generates ids: a prefix and 27 base62 characters that sort by creation.
type IDs struct {
	mutex sync.Mutex
	last  uint64 // time of the last id in nanoseconds since 1970; increased by 1 if the clock does not advance
}

// After makes all later ids sort after ids that were created until t.
func (g *IDs) After(t time.Time) {
	if !t.IsZero() {
		g.last = max(g.last, uint64(t.UnixNano()))
	}
}

// Next returns a new id.
func (g *IDs) Next(prefix string, now time.Time) string {
	g.mutex.Lock()
	g.last = max(g.last+1, uint64(now.UnixNano()))
	moment := g.last
	g.mutex.Unlock()

	var number [20]byte
	binary.BigEndian.PutUint64(number[:], moment)
	_, _ = rand.Read(number[8:]) // never fails
	return prefix + base62(number)
}

const (
	digits    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" // in ASCII order, so that ids sort correctly
	idLength  = 27                                                               // enough for 160 bits
	wordCount = 5
)

// base62 encodes a big-endian number with a fixed number of digits.
func base62(number [20]byte) string {
	var words [wordCount]uint32
	for i := range words {
		words[i] = binary.BigEndian.Uint32(number[4*i:])
	}
	var text [idLength]byte
	for i := idLength - 1; i >= 0; i-- {
		var rest uint32
		for w := range words {
			words[w], rest = bits.Div32(rest, words[w], uint32(len(digits)))
		}
		text[i] = digits[rest]
	}
	return string(text[:])
}
