package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// readAccount returns the account of a workspace as a seed: from a file or, if the name
// is empty, as a clone of the service without the lists to skip.
func readAccount(ctx context.Context, w *workspace, name, skip string, messages io.Writer) ([]byte, error) {
	if name == "" {
		name = filepath.Join(w.dir, "rehearsal.account")
		if err := cloneAccount(ctx, []string{"-o", name, "-skip", skip}, io.Discard, messages); err != nil {
			return nil, err
		}
	}
	return os.ReadFile(name)
}

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
