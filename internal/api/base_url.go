package api

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// ParseBaseURL parses the base URL of a service, with or without a path and a
// trailing slash. The scheme must be https, or http if the host is a loopback
// address or allowPlainHTTP is set. The error never repeats a password in the
// URL.
func ParseBaseURL(raw string, allowPlainHTTP bool) (*url.URL, error) {
	raw, _, _ = strings.Cut(raw, "/_testserver") // the page of the test server is below its base URL
	switch {
	case strings.TrimSpace(raw) != raw:
		return nil, errors.New("must not begin or end with white space, such as a space or a newline. Remove it")
	case strings.ContainsAny(raw, "\"'"):
		return nil, errors.New("must not contain quotation marks. Remove them")
	case !strings.Contains(raw, "://"):
		return nil, errors.New("must begin with https://, such as https://api.example.com; found no scheme")
	}
	base, err := url.Parse(raw)
	if err != nil && strings.Contains(raw, "@") {
		return nil, errors.New("is not a valid URL") // the cause could repeat a password
	}
	if err != nil {
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err
		}
		return nil, fmt.Errorf("is not a valid URL: %w", err)
	}
	switch {
	case base.Scheme != "https" && base.Scheme != "http":
		return nil, fmt.Errorf("must begin with https://, such as https://api.example.com; found the scheme %q", base.Scheme)
	case base.Hostname() == "":
		return nil, errors.New("must contain a host, such as https://api.example.com")
	case !validPort(base.Port()):
		return nil, fmt.Errorf("must contain a port from 1 to 65535; found %s", base.Port())
	case base.User != nil:
		return nil, errors.New("must not contain a username or password. Set the API key in api_key")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("must not contain a query or a fragment, because the provider appends paths to it")
	case base.Scheme == "http" && !allowPlainHTTP && !Loopback(base.Hostname()):
		return nil, fmt.Errorf(
			"uses http, so the API key would be sent unencrypted to %s. Use https, or set allow_plain_http = true if you trust the network",
			base.Host,
		)
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = strings.TrimRight(base.RawPath, "/")
	if _, err := url.Parse(base.String()); err != nil { // the zone of an IPv6 address can have characters that no URL can
		return nil, errors.New("must contain a valid host, such as https://api.example.com")
	}
	return base, nil
}

// validPort reports whether a port is one, or is not set.
func validPort(port string) bool {
	number, err := strconv.Atoi(port)
	return port == "" || err == nil && 1 <= number && number <= 65535
}

// Loopback reports whether a host is localhost or a loopback address.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// origin returns the scheme, host and port of a URL. The API key is sent only
// to URLs with the origin of the base URL.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Scheme + "://" + net.JoinHostPort(u.Hostname(), port))
}
