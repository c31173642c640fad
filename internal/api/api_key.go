package api

import (
	"context"
	"net/http"
	"sync"
)

// apiKey is the API key of a client. One that was read from a file can be replaced
// there while the client runs.
type apiKey struct {
	// reread returns the key in the file. It is nil if the key is not from a file.
	reread func() (string, error)
	known  secrets
	warn   func(ctx context.Context, message string, fields map[string]any)

	mu  sync.Mutex
	key string
}

func newAPIKey(config Config, known secrets) *apiKey {
	return &apiKey{reread: config.RereadKey, known: known, warn: config.Warn, key: config.APIKey}
}

// header returns the value of the header Authorization.
func (k *apiKey) header() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return "Bearer " + k.key
}

// renew reports whether there is another key than the one in a header that the
// service refused: another request has renewed it, or the file has a new one.
func (k *apiKey) renew(ctx context.Context, refused string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if refused != "Bearer "+k.key {
		return true
	}
	key, err := k.reread()
	if err != nil && k.warn != nil {
		k.warn(ctx, "could not read the API key again after a 401", map[string]any{"error": k.known.redact(err.Error())})
	}
	if err != nil || key == k.key {
		return false
	}
	k.known.learn(key)
	k.key = key
	return true
}

// renewing sends a request once more if the service refused its API key and the key
// file has another one by then. A POST is not sent again: the documentation of the API
// does not say that a 401 means that nothing was created.
type renewing struct {
	key  *apiKey
	next http.RoundTripper
}

func (t renewing) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusUnauthorized || req.Body != nil && req.GetBody == nil ||
		!t.key.renew(req.Context(), resp.Request.Header.Get("Authorization")) || req.Method == http.MethodPost {
		return resp, err
	}
	resp.Body.Close()
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		if again.Body, err = req.GetBody(); err != nil {
			return nil, err
		}
	}
	return t.next.RoundTrip(again)
}
