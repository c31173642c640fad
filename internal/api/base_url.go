package api

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// ParseBaseURL parses the base URL of a service, with or without a path and a
// trailing slash. The scheme must be https, or http if the host is a loopback
// address or allowPlainHTTP is set. The error never repeats a password in the
// URL.
func ParseBaseURL(raw string, allowPlainHTTP bool) (*url.URL, error) {
	base, err := url.Parse(raw)
	if err != nil && strings.Contains(raw, "@") {
		return nil, errors.New("is not a URL") // the cause could repeat a password
	}
	if err != nil {
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err
		}
		return nil, fmt.Errorf("is not a URL: %w", err)
	}
	switch {
	case base.Scheme != "https" && base.Scheme != "http":
		return nil, fmt.Errorf("must begin with https:// (such as https://api.example.com), found the scheme %q", base.Scheme)
	case base.Hostname() == "":
		return nil, errors.New("names no host (expected something like https://api.example.com)")
	case base.User != nil:
		return nil, errors.New("must not contain a user name or password; set the API key in api_key")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("must not have a query or a fragment: paths are appended to it")
	case base.Scheme == "http" && !allowPlainHTTP && !loopback(base.Hostname()):
		return nil, fmt.Errorf("would send the API key to %s unencrypted: use https, or set allow_plain_http = true if the network between is yours", base.Host)
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = strings.TrimRight(base.RawPath, "/")
	return base, nil
}

func loopback(host string) bool {
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
