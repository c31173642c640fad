package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// A journal knows which creations are under way. Within a process it lets only
// one of several identical ones begin at a time, so that no two of them take the
// same object for their own. Across processes it leaves a file for each until
// its outcome is known: one that outlives its process tells the next identical
// creation that the object may be there already, and since when.
type journal struct {
	dir     string // where the files are; "" for none
	account string // what distinguishes this service and key from others
	turns   sync.Map
}

// An entry is one creation under way.
type entry struct {
	turn chan struct{}
	file string
	// left is when a creation of the same began whose outcome nobody has seen;
	// zero where there is none.
	left time.Time
}

// keptFor is how long a file counts: after that a person has looked.
const keptFor = 24 * time.Hour

func newJournal(config Config) *journal {
	account := sha256.Sum256([]byte(config.BaseURL.String() + "\n" + config.APIKey))
	return &journal{dir: config.Journal, account: string(account[:])}
}

// begin waits for identical creations of this process to end, and looks whether
// an earlier process left one behind.
func (j *journal) begin(ctx context.Context, path string, body []byte) (*entry, error) {
	sum := sha256.Sum256([]byte(j.account + path + "\n" + string(body)))
	name := hex.EncodeToString(sum[:])
	turn, _ := j.turns.LoadOrStore(name, make(chan struct{}, 1))
	e := &entry{turn: turn.(chan struct{})} //nolint:forcetypeassert // nothing else is stored
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if j.dir == "" {
		return e, nil
	}
	e.file = filepath.Join(j.dir, name)
	if info, err := os.Stat(e.file); err == nil {
		if writer := writerOf(e.file); writer != os.Getpid() && alive(writer) {
			e.file = "" // somebody else's, who is at it now
		} else if time.Since(info.ModTime()) < keptFor {
			e.left = info.ModTime()
		}
	}
	return e, nil
}

// note leaves the file, before the request goes out. Where that is not possible
// there is none, and only this process can find what gets lost.
func (e *entry) note() {
	if e.file == "" || os.MkdirAll(filepath.Dir(e.file), 0o700) != nil {
		return
	}
	_ = os.WriteFile(e.file, []byte(strconv.Itoa(os.Getpid())), 0o600)
}

// end lets the next identical creation begin. Where the outcome is known the
// file goes.
func (e *entry) end(known bool) {
	if known && e.file != "" {
		_ = os.Remove(e.file)
	}
	<-e.turn
}

// writerOf returns the process that wrote a file, 0 where it was killed before
// it had.
func writerOf(file string) int {
	text, err := os.ReadFile(file) //nolint:gosec // the name is a digest
	if err != nil {
		return 0
	}
	process, err := strconv.Atoi(string(text))
	if err != nil {
		return 0
	}
	return process
}

// alive tells whether a process runs. Windows cannot say; there it counts as
// ended.
func alive(id int) bool {
	if id <= 0 {
		return false
	}
	process, err := os.FindProcess(id)
	return err == nil && process.Signal(syscall.Signal(0)) == nil
}
