// Package page is the page of the test server for browsers: files that are built into
// the program, and the headers that restrict what they can do. It uses no other
// package of the test server: the page gets all data from the control endpoints.
package page

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed static
var static embed.FS

// index is the page. Its files are below folder.
const (
	index  = "index.html"
	folder = "page/"
)

// policy lets the page load only its own files and talk only to its own server. No
// text can become markup or a script.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Cache-Control":                "no-cache",
}

// Serve serves the page, whose name is empty, or one of its files. It reports false
// and writes nothing if the name is another one.
func Serve(w http.ResponseWriter, r *http.Request, name string) bool {
	file := index
	if name != "" {
		var below bool
		if file, below = strings.CutPrefix(name, folder); !below {
			return false
		}
	}
	content, err := fs.ReadFile(static, path.Join("static", file))
	if err != nil {
		return false
	}
	for key, value := range headers {
		w.Header().Set(key, value)
	}
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return true
	}
	w.Header().Set("Content-Type", typeOf(file))
	_, _ = w.Write(content) // the client has gone
	return true
}

// typeOf returns the content type of a file. It does not ask the operating system,
// whose tables can be wrong.
func typeOf(file string) string {
	types := map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
	return mime.FormatMediaType(types[path.Ext(file)], map[string]string{"charset": "utf-8"})
}
