package testserver

import (
	"strings"
	"testing"
)

func TestReservedAddress_life(t *testing.T) {
	t.Parallel()
	s := Start(t)
	object := want(t, s, 201, "POST", "/reserved_addrs", `{"description":"d"}`)
	path := "/reserved_addrs/" + object.text("id")
	equal(t, "addr", object.text("addr"), "1.tcp.tunnel.example:20001")
	equal(t, "addr of a second one", want(t, s, 201, "POST", "/reserved_addrs", `{}`).text("addr"), "2.tcp.tunnel.example:20002")
	equal(t, "field", want(t, s, 400, "PATCH", path, `{"addr":"3.tcp.tunnel.example:20003"}`).field(), "addr")

	s.Create("/edges/tls", `{"hostports":["1.tcp.tunnel.example:20001"]}`)
	edge := s.Create("/edges/tcp", `{"hostports":["1.TCP.tunnel.example:20001"]}`)
	if got := want(t, s, 409, "DELETE", path, ""); !strings.Contains(got.text("msg"), "is in use by "+edge+":") {
		t.Errorf("the error is %s", got.raw)
	}
	s.Delete("/edges/tcp/" + edge)
	want(t, s, 204, "DELETE", path, "")
	equal(t, "addr after a deletion", want(t, s, 201, "POST", "/reserved_addrs", `{}`).text("addr"), object.text("addr"))
}
