package record

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

func TestLog_isBounded(t *testing.T) {
	t.Parallel()
	l := &Log{API: engine.New()}
	for i := range 2*maxLog + 10 {
		l.keep(Request{Status: i, RequestBody: make([]byte, 2000), ResponseBody: make([]byte, 3000)})
	}
	log, first, last := l.After(0, maxLog)
	if len(log) != maxLog || log[maxLog-1].Status != 2*maxLog+9 || first != maxLog+11 || last != 2*maxLog+10 {
		t.Errorf("%d requests from %d to %d, the newest with %d", len(log), first, last, log[maxLog-1].Status)
	}
	size := 0
	for i := range l.log {
		size += l.log[i].content()
	}
	if size > maxContent || size < maxContent-5000 || l.content != size || log[maxLog-1].content() != 5000 {
		t.Errorf("the bodies have %d bytes, counted are %d", size, l.content)
	}
}
