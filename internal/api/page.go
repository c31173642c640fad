package api

// This file reads one page of a list.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

// page requests one page of the list. It returns the URL of the next page, or "".
func (c *Collection[T]) page(ctx context.Context, target string) (objects []T, next string, err error) {
	if c.err != nil {
		return nil, "", c.err
	}
	body, err := c.send(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, "", err
	}
	items, link, err := decodePage(body, c.ListField)
	if _, absent := errors.AsType[errNoList](err); absent && c.listIn != "" {
		var parent Ref // its list may be absent if it is empty
		if parent, err = decode[Ref](body); err == nil && parent.ID != c.parentID {
			err = undocumented(fmt.Errorf("expected the ID %q", c.parentID))
		}
	}
	if err != nil {
		return nil, "", err
	}
	for _, item := range items {
		object, err := c.object(item, "")
		if err != nil {
			return nil, "", fmt.Errorf("field %s: %w", c.ListField, err)
		}
		objects = append(objects, *object)
	}
	next, err = follow(c.listURL, link)
	return objects, next, err
}

// decodePage returns the objects in the named field of a page, and the link to the next
// page, or "".
func decodePage(body []byte, field string) (items []json.RawMessage, link string, err error) {
	decoder, found := json.NewDecoder(bytes.NewReader(body)), false
	var other json.RawMessage // its memory is used for all
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, "", undocumented(json.Unmarshal(body, &map[string]json.RawMessage{}))
	}
	for fields := 0; decoder.More(); fields++ {
		if fields == maxItems {
			return nil, "", undocumented(fmt.Errorf("expected at most %d fields", maxItems))
		}
		name, err := decoder.Token()
		switch {
		case err != nil:
		case name == field:
			found = true
			items, err = decodeItems(decoder)
		case name == "next_page_uri":
			err = decoder.Decode(&link)
		default:
			err = decoder.Decode(&other)
		}
		if err != nil {
			return nil, "", undocumented(fmt.Errorf("field %s: %w", name, inWords(err)))
		}
	}
	if _, err := decoder.Token(); err != nil { // the end of the object
		return nil, "", undocumented(err)
	}
	if decoder.More() {
		return nil, "", undocumented(errors.New("expected nothing after the JSON object"))
	}
	if !found {
		return nil, "", errNoList{field}
	}
	return items, link, nil
}

// decodeItems splits an array, one item at a time, so that a page with too many items
// fails before it takes memory. Null is an empty array.
func decodeItems(decoder *json.Decoder) (items []json.RawMessage, err error) {
	switch token, err := decoder.Token(); {
	case err != nil || token == nil:
		return nil, err
	case token != json.Delim('['):
		return nil, errors.New("expected a list")
	}
	for decoder.More() {
		var item json.RawMessage
		if err := decoder.Decode(&item); err != nil {
			return nil, err
		}
		if items = append(items, item); len(items) > maxItems {
			return nil, fmt.Errorf("expected at most %d items", maxItems)
		}
	}
	_, err = decoder.Token() // the end of the array
	return items, err
}

// errNoList is the error of a page without the field that contains the objects.
type errNoList struct{ field string }

func (e errNoList) Error() string {
	return fmt.Sprintf("unexpected response: the JSON object has no field %s", e.field)
}

// follow returns the URL of the next page of a list. Of a link, only the query counts: a
// gateway has an address and a path of its own, which the service does not know, and the
// API key goes to no other.
func follow(list, link string) (string, error) {
	if link == "" {
		return "", nil
	}
	next, err := url.Parse(link)
	switch {
	case err != nil: // not repeated, because it can contain a secret
		return "", undocumented(errors.New("next_page_uri is not a valid URL"))
	case next.RawQuery == "":
		return "", undocumented(errors.New("next_page_uri has no query, which selects the next page"))
	case len(next.RawQuery) > maxURL:
		return "", undocumented(fmt.Errorf("next_page_uri is longer than %d bytes", maxURL))
	}
	return list + "?" + next.RawQuery, nil
}
