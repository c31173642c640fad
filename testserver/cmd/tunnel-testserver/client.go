package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// client is a client of a service.
type client struct {
	base     *url.URL
	key      string
	http     *http.Client // waits after a 429, and tries a GET again
	messages io.Writer    // for progress
	requests int
	unknown  map[string]bool // members of objects that are not copied
}

const (
	requestTimeout = time.Minute
	maxResponse    = 32 << 20 // bytes
	// maxAttempts is the number of attempts of a request that fails for a passing
	// reason, other than 429.
	maxAttempts = 4
	// longestWait is the maximum time that a 429 can ask to wait.
	longestWait = 10 * time.Minute
)

// newClient returns a client for the service in the environment.
func newClient(ctx context.Context, messages io.Writer) (*client, error) {
	address, key := os.Getenv("TUNNEL_BASE_URL"), os.Getenv("TUNNEL_API_KEY")
	if file := os.Getenv("TUNNEL_API_KEY_FILE"); key == "" && file != "" { // as the provider reads it
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, errors.New("the file in TUNNEL_API_KEY_FILE cannot be read")
		}
		key = strings.TrimSpace(string(body.FileText(content)))
	}
	if address == "" || key == "" {
		return nil, errors.New("set the environment variables TUNNEL_BASE_URL and TUNNEL_API_KEY (or TUNNEL_API_KEY_FILE) to those of " +
			"the service")
	}
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("invalid TUNNEL_BASE_URL: expected a URL such as https://api.example.com")
	}
	polite := &http.Client{Transport: newPolite(ctx, 0, messages), CheckRedirect: noRedirects.CheckRedirect}
	return &client{base: base, key: key, http: polite, messages: messages, unknown: map[string]bool{}}, nil
}

// noRedirects keeps the key with the service that it belongs to.
var noRedirects = &http.Client{
	Timeout:       requestTimeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// get returns the response to a GET of a URL.
func (c *client) get(ctx context.Context, target string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, fmt.Errorf("GET %s: %w", c.path(target), err)
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Service-Version", "2")
	c.requests++
	response, err := c.http.Do(request)
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if err != nil {
		return nil, fmt.Errorf("GET %s: %w", c.path(target), err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, refusal{c.path(target), response.StatusCode}
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err == nil && len(content) > maxResponse {
		err = fmt.Errorf("GET %s: the response is larger than %d MiB", c.path(target), maxResponse>>20)
	}
	return content, err
}

// refusal is a response with a status other than 200.
type refusal struct {
	path   string
	status int
}

func (r refusal) Error() string {
	text := fmt.Sprintf("GET %s: %d %s", r.path, r.status, http.StatusText(r.status))
	if r.status == http.StatusUnauthorized {
		text += ": check TUNNEL_API_KEY"
	}
	return text
}

// path returns a URL without what is the same in all of them.
func (c *client) path(target string) string {
	return strconv.Quote(strings.TrimPrefix(target, c.base.String()))
}

// next returns the URL of the next page of a list, "" for the last. Of a link, only the
// query counts: the service may have another address behind a gateway, and the key goes
// nowhere else.
func (c *client) next(list, link string) (string, error) {
	if link == "" {
		return "", nil
	}
	to, err := url.Parse(link)
	if err != nil || to.RawQuery == "" {
		return "", fmt.Errorf("GET %s: next_page_uri is not a URL with a query", c.path(list))
	}
	return list + "?" + to.RawQuery, nil
}
