package api

import (
	"strings"
	"testing"
)

func TestParseBaseURL_takesWhatKeepsTheKeySafe(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://api.example.com":          "https://api.example.com",
		"https://api.example.com/":         "https://api.example.com",
		"https://api.example.com/tunnel//": "https://api.example.com/tunnel",
		"http://127.0.0.1:8480":            "http://127.0.0.1:8480",
		"http://localhost/v2/":             "http://localhost/v2",
		"http://[::1]/_testserver/#key=a":  "http://[::1]",
		"http://[::1]:80":                  "http://[::1]:80",
		"https://h/a%2Fb/":                 "https://h/a%2Fb",
		"https://h:1":                      "https://h:1",
		"https://h:65535":                  "https://h:65535",
	} {
		if base, err := ParseBaseURL(raw, false); err != nil || base.String() != want {
			t.Errorf("%s: %v, %v; want %s", raw, base, err, want)
		}
	}
	if _, err := ParseBaseURL("http://api.example.com", true); err != nil {
		t.Errorf("allowed plain HTTP: %v", err)
	}
}

func TestParseBaseURL_saysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"api.example.com":           "https://",
		"unix:///run/tunnel.sock":   `"unix"`,
		"/run/tunnel.sock":          "https://",
		"ftp://api.example.com":     `"ftp"`,
		"https://h:99999":           "must contain a port from 1 to 65535; found 99999",
		"https://h:65536":           "must contain a port from 1 to 65535; found 65536",
		"https://h:0":               "must contain a port from 1 to 65535; found 0",
		"https://":                  "must contain a host",
		"https:///path":             "must contain a host",
		"http://api.example.com":    "allow_plain_http",
		"https://u:sec@host":        "username or password",
		"https://host?x=1":          "query",
		"https://host#f":            "fragment",
		"https://host:port":         "is not a valid URL",
		"https://u:sec/ret@host":    "is not a valid URL",
		"http://127.0.0.1.evil.com": "allow_plain_http",
		"http://0x7f000001":         "allow_plain_http",
		"http://127.1@evil.example": "username or password",
		"http://192.0.2.1":          "allow_plain_http",
		"http://[2001:db8::1]":      "allow_plain_http",
		"://":                       "is not a valid URL",
	} {
		if _, err := ParseBaseURL(raw, false); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sec") {
			t.Errorf("%s: error %v, want one with %q", raw, err, want)
		}
	}
}
