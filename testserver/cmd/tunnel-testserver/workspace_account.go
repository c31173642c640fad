package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// serveInBackground serves on a free port of this machine until stop is called. Requests
// go to handler, which is the server or stands in front of it.
func serveInBackground(ctx context.Context, server *testserver.Server, handler http.Handler) (stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	server.URL = "http://" + listener.Addr().String()
	log := slog.New(slog.DiscardHandler)
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = serve(running, frontOf(handler, log), listener, server, log)
	}()
	return func() { end(); <-ended }, nil
}
