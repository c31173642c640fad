package api

// This file reads one page of a list.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
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
// page, or "". Null is an empty list.
func decodePage(body []byte, field string) (items []json.RawMessage, link string, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, "", undocumented(err)
	}
	if members[field] == nil {
		return nil, "", errNoList{field}
	}
	var limited [maxItems + 1]json.RawMessage // of a longer list, the decoder skips the rest
	for name, into := range map[string]any{field: &limited, "next_page_uri": &link} {
		if err := json.Unmarshal(members[name], into); err != nil && members[name] != nil {
			return nil, "", undocumented(fmt.Errorf("field %s: %w", name, inWords(err)))
		}
	}
	if limited[maxItems] != nil {
		return nil, "", undocumented(fmt.Errorf("field %s: expected at most %d items", field, maxItems))
	}
	count := slices.IndexFunc(limited[:], func(item json.RawMessage) bool { return item == nil })
	return slices.Clone(limited[:count]), link, nil
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
