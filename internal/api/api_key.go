package api

import "sync"

// apiKey is the API key of a client. One that was read from a file can be replaced
// there while the client runs.
type apiKey struct {
	// changed returns the key of a file that has changed, and otherwise "". It is nil
	// if the key is not from a file.
	changed func() string
	known   secrets

	mu  sync.Mutex
	key string
}

// header returns the value of the header Authorization for the next request.
func (k *apiKey) header() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changed != nil {
		if key := k.changed(); key != "" && key != k.key {
			k.known.learn(key)
			k.key = key
		}
	}
	return "Bearer " + k.key
}
