package api

import "net/http"

// connections keep the promise that a connection which closes without notice costs no
// creation: a POST on such a connection is lost and cannot be repeated, so each POST
// has a connection of its own. Other requests share connections: they are repeated.
type connections struct{ shared, single *http.Transport }

// newTransport returns the transport of a client. Tests change its settings.
func newTransport(change ...func(*http.Transport)) connections {
	shared := http.DefaultTransport.(*http.Transport).Clone()
	shared.MaxConnsPerHost = maxConnections
	shared.MaxIdleConnsPerHost = maxConnections
	shared.IdleConnTimeout = idleTimeout
	shared.OnProxyConnectResponse = checkProxy
	for _, change := range change {
		change(shared)
	}
	single := shared.Clone()
	single.DisableKeepAlives = true
	return connections{shared, single}
}

func (c connections) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodPost {
		return c.single.RoundTrip(req)
	}
	return c.shared.RoundTrip(req)
}
