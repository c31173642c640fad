package engine

import (
	"crypto/rand"
	"encoding/binary"
	"math/big"
	"strings"
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

const idLength = 27 // enough for 160 bits

// base62 encodes a big-endian number with a fixed number of digits, in ASCII order, so
// that ids sort correctly.
func base62(number [20]byte) string {
	text := new(big.Int).SetBytes(number[:]).Text(62) // with lower-case digits before the others
	return strings.Repeat("0", idLength-len(text)) + strings.Map(func(digit rune) rune {
		if digit >= 'A' {
			return digit ^ ('a' - 'A')
		}
		return digit
	}, text)
}
