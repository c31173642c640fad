package copy

import (
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// Serve serves a copy of an account on a free port of this machine until stop is called.
// Requests go to handler, which is the server or stands in front of it.
func Serve(account []byte, server *testserver.Server, handler http.Handler) (stop func(), err error) {
	if err := server.Seed(account); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server.URL = "http://" + listener.Addr().String()
	front := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = front.Serve(listener) }()
	return func() { server.Close(); _ = front.Close() }, nil
}
