package api

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// connections keep the promise that a connection which closes without notice
// costs at most one creation. A request on such a connection is lost, and a
// POST cannot be repeated. So once the other side closes a connection that this
// client did not, each POST goes on a connection of its own. Other requests
// still share connections: they are repeated.
//
// The first few POSTs wait for a moment after the last response, so that a
// service which closes each connection after its response is noticed before.
type connections struct {
	shared, single *http.Transport
	closed         atomic.Bool
	posts          atomic.Int64
	answered       atomic.Pointer[time.Time]
}

const (
	cautiousPosts = 10
	cautiousPause = 20 * time.Millisecond
)

// newTransport returns the transport of a client. Tests change its settings.
func newTransport(change ...func(*http.Transport)) *connections {
	shared := http.DefaultTransport.(*http.Transport).Clone()
	shared.MaxConnsPerHost = maxConnections
	shared.MaxIdleConnsPerHost = maxConnections
	shared.IdleConnTimeout = idleTimeout
	shared.OnProxyConnectResponse = checkProxy
	for _, change := range change {
		change(shared)
	}
	c := &connections{shared: shared, single: shared.Clone()}
	c.single.DisableKeepAlives = true
	dial := shared.DialContext
	shared.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &watched{Conn: conn, closed: &c.closed}, nil
	}
	return c
}

func (c *connections) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodPost {
		if last := c.answered.Load(); last != nil && c.posts.Add(1) <= cautiousPosts {
			pause(req.Context(), cautiousPause-time.Since(*last)) //nolint:errcheck // RoundTrip returns it
		}
		if c.closed.Load() {
			return c.single.RoundTrip(req)
		}
	}
	resp, err := c.shared.RoundTrip(req)
	now := time.Now()
	c.answered.Store(&now)
	return resp, err
}

// watched notices that the other side closes a connection.
type watched struct {
	net.Conn
	ended  atomic.Bool // by this side
	closed *atomic.Bool
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if timeout, ok := err.(net.Error); err != nil && !w.ended.Load() && !(ok && timeout.Timeout()) { //nolint:errorlint // of net.Conn itself
		w.closed.Store(true)
	}
	return n, err
}

func (w *watched) Close() error {
	w.ended.Store(true)
	return w.Conn.Close()
}
