package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/contract"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

const (
	maxPages = 10_000 // of a list
	maxEmpty = 3      // pages in a row without an object
	maxNamed = 100    // members that are not copied
)

// parts are the members of objects that a list may leave out, by the path of the
// list. They are read with the object itself.
var parts = map[string][]string{
	"/edges/https":         {"routes"},
	"/edges/tls":           {"backend", "policy"},
	"/edges/tcp":           {"backend", "policy"},
	"/event_subscriptions": {"sources"},
}

// cloneAccount prints all objects of a service as a seed. It prints nothing if it
// cannot read all of them.
func cloneAccount(ctx context.Context, arguments []string, out, messages io.Writer) error {
	flags := newFlags("clone", "Usage of tunnel-testserver clone:\n", messages)
	file := flags.String("o", "", "write to `FILE`, which only you can read, instead of standard output")
	skipped := flags.String("skip", "", "comma-separated `PATHS` of lists that the service does not have, such as /reserved_addrs")
	if err := parse(flags, arguments, messages); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("clone: unexpected argument %q: it reads TUNNEL_BASE_URL and TUNNEL_API_KEY. To write to a file, use -o %[1]s",
			flags.Arg(0))
	}
	if err := checkFolder(*file); err != nil {
		return err
	}
	roots := kinds.Roots()
	skip := strings.FieldsFunc(*skipped, func(r rune) bool { return r == ',' })
	for _, path := range skip {
		if !slices.ContainsFunc(roots, func(kind engine.Kind) bool { return kind.Path == path }) {
			return fmt.Errorf("clone: invalid -skip %q: expected paths such as /reserved_addrs", path)
		}
	}
	c, err := newClient(ctx, 0, messages)
	if err != nil {
		return err
	}
	type entry struct {
		Path string         `json:"path"`
		Body map[string]any `json:"body"`
	}
	all := []entry{}
	for _, kind := range roots {
		if slices.Contains(skip, kind.Path) {
			continue
		}
		found, err := c.objects(ctx, kind)
		if refused, ok := errors.AsType[refusal](err); ok && refused.status == http.StatusNotFound {
			return fmt.Errorf("%w: check TUNNEL_BASE_URL. If the service does not have this list, use -skip %s", err, kind.Path)
		} else if err != nil {
			return err
		}
		slices.Reverse(found) // oldest first, if the service lists the newest first
		for _, one := range found {
			all = append(all, entry{kind.Path, one})
		}
	}
	account, err := json.MarshalIndent(map[string]any{"objects": all}, "", "  ")
	if err != nil {
		return err
	}
	if err := write(out, *file, append(account, '\n')); err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(c.unknown))
	for _, name := range names[:min(len(names), maxNamed)] {
		fmt.Fprintf(messages, "not copied, because the test server does not have it: %s\n", problem.Printable(name))
	}
	if more := len(names) - maxNamed; more > 0 {
		fmt.Fprintf(messages, "not copied, because the test server does not have them: %d other members\n", more)
	}
	fmt.Fprintf(messages, "cloned %d objects of %s with %d requests\n", len(all), c.base.Host, c.requests)
	return nil
}

// objects returns the objects on all pages of a list.
func (c *client) objects(ctx context.Context, kind engine.Kind) (all []map[string]any, err error) {
	seen, empty := map[string]bool{}, 0
	for target := c.base.String() + kind.Path; ; {
		if seen[target] || len(seen) == maxPages || empty == maxEmpty {
			return nil, fmt.Errorf("GET %s: the pages do not end", c.path(target))
		}
		seen[target] = true
		page := map[string]any{}
		if err := c.decode(ctx, target, &page); err != nil {
			return nil, err
		}
		list, there := page[kind.Field]
		objects, ok := list.([]any)
		if !there || !ok && list != nil { // some services write an empty list as null
			return nil, fmt.Errorf("GET %s: expected an object with the list %s: check TUNNEL_BASE_URL, which is %s",
				c.path(target), kind.Field, c.base.Redacted())
		}
		if empty++; len(objects) > 0 {
			empty = 0
		}
		for _, value := range objects {
			one, err := c.whole(ctx, kind, value)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		if len(seen)%10 == 0 {
			fmt.Fprintf(c.messages, "%d pages, %d objects of the kind %s\n", len(seen), len(all), kind.Noun)
		}
		link, _ := page["next_page_uri"].(string)
		if link == "" {
			return all, nil
		}
		// Of a link, only the query counts: the service may have another address behind a
		// gateway, and the key goes nowhere else.
		to, err := url.Parse(link)
		if err != nil || to.RawQuery == "" {
			return nil, fmt.Errorf("GET %s: next_page_uri is not a URL with a query", c.path(target))
		}
		target = c.base.String() + kind.Path + "?" + to.RawQuery
	}
}

// whole returns an object of a list with all its parts that the test server has.
func (c *client) whole(ctx context.Context, kind engine.Kind, listed any) (map[string]any, error) {
	one, _ := listed.(map[string]any)
	id, _ := one["id"].(string)
	if id == "" || strings.ContainsAny(id, "/?#%") {
		return nil, fmt.Errorf("the list %s has an object without an id", kind.Path)
	}
	if slices.ContainsFunc(parts[kind.Path], func(name string) bool { _, ok := one[name]; return !ok }) {
		one = nil
		if err := c.decode(ctx, c.base.String()+kind.Path+"/"+id, &one); err != nil {
			return nil, err
		}
	}
	response := documented().Response(kind.Path+"/{id}", http.MethodGet, http.StatusOK)
	c.keepKnown(response, one, kind.Path+": ")
	return one, nil
}

// keepKnown removes the members that the test server does not have, such as those of
// a newer version of the API, and remembers their names. A private key, which no
// service should return, is one of them. A value without documented members, such as
// labels, is the user's own. at begins the names of the members.
func (c *client) keepKnown(schema *openapi3.SchemaRef, value any, at string) {
	for _, choice := range schema.Value.OneOf {
		if choice.Ref != "" {
			schema = choice
		}
	}
	known, elements := schema.Value.Properties, schema.Value.Items
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			switch {
			case known[name] != nil:
				c.keepKnown(known[name], member, at+name+".")
			case len(known) > 0:
				delete(value, name)
				c.unknown[at+name] = true
			}
		}
	case []any:
		for _, element := range value {
			if elements != nil {
				c.keepKnown(elements, element, strings.TrimSuffix(at, ".")+"[].")
			}
		}
	}
}

// documented is the contract of the API.
var documented = sync.OnceValue(func() *contract.Document { return contract.New(testserver.OpenAPI) })

// decode gets a JSON object. Numbers keep their text.
func (c *client) decode(ctx context.Context, target string, into *map[string]any) error {
	content, err := c.get(ctx, target)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil || *into == nil {
		return fmt.Errorf("GET %s: expected a JSON object", c.path(target))
	}
	return nil
}

// checkFolder checks, before anything is done for it, that a file can be in its folder.
func checkFolder(path string) error {
	folder := filepath.Dir(path)
	switch info, err := os.Stat(folder); {
	case path == "":
	case err != nil:
		return fmt.Errorf("invalid -o: %w", err)
	case !info.IsDir():
		return fmt.Errorf("invalid -o: %s is not a directory", folder)
	}
	return nil
}

// write writes a file that only its owner can read, or to out.
func write(out io.Writer, path string, content []byte) error {
	if path == "" {
		_, err := out.Write(content)
		return err
	}
	return writePrivate(path, content)
}
