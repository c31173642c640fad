package api

// This file keeps a promise: no list, however hostile, is without an end or has more
// objects than fit in memory.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

const (
	maxItems = 10_000 // on a page
	maxPages = 10_000 // of a list: enough for a million objects
	// maxRepeated is the number of pages in a row that may contain only objects of
	// earlier pages, because others were created meanwhile.
	maxRepeated = 10
)

// decodePage decodes one page of a list and calls item for each of the objects
// in the named field. It returns the URL of the next page, or "" for the last
// page.
func decodePage(body []byte, field string, item func(*json.Decoder) error) (next string, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return "", undocumented(err)
	}
	items, found := fields[field]
	if !found {
		return "", errNoList{field}
	}
	if err := decodeItems(json.NewDecoder(bytes.NewReader(items)), item); err != nil {
		return "", fmt.Errorf("field %s: %w", field, err)
	}
	if uri, found := fields["next_page_uri"]; found {
		if err := json.Unmarshal(uri, &next); err != nil {
			return "", undocumented(fmt.Errorf("field next_page_uri: %w", inWords(err)))
		}
	}
	return next, nil
}

// errNoList is the error of a page without the field that contains the objects.
type errNoList struct{ field string }

func (e errNoList) Error() string {
	return fmt.Sprintf("unexpected response: the JSON object has no field %s", e.field)
}

// decodeItems decodes an array one item at a time, so that a page with too many
// items or an invalid item fails before all of it is decoded. Null is an empty
// array.
func decodeItems(decoder *json.Decoder, item func(*json.Decoder) error) error {
	if token, err := decoder.Token(); err != nil || token == nil {
		return err
	} else if token != json.Delim('[') {
		return undocumented(errors.New("expected a list"))
	}
	for n := 0; decoder.More(); n++ {
		if n == maxItems {
			return undocumented(fmt.Errorf("expected at most %d items", maxItems))
		}
		if err := item(decoder); err != nil {
			return err
		}
	}
	return nil
}
