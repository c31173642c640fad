package api

// This file keeps a promise: no page, however hostile, takes much memory or
// time.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

const (
	maxItems = 10_000 // on a page
	maxPages = 10_000 // of a list: enough for a million objects
	// maxRepeated is the number of pages in a row that may contain only objects of
	// earlier pages, because others were created meanwhile.
	maxRepeated = 10

	maxFields = 1000 // of a page
)

// decodePage decodes one page of a list and calls item for each of the objects
// in the named field. It returns the URL of the next page, or "" for the last
// page.
func decodePage(body []byte, field string, item func(*json.Decoder) error) (next string, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return "", undocumented(errors.New("expected a JSON object"))
	}
	found := false
	for fields := 0; decoder.More(); fields++ {
		if fields == maxFields {
			return "", undocumented(fmt.Errorf("expected at most %d fields", maxFields))
		}
		name, err := decoder.Token()
		if err != nil {
			return "", undocumented(err)
		}
		switch name {
		case field:
			found = true
			if err = decodeItems(decoder, item); err != nil {
				return "", fmt.Errorf("field %s: %w", field, err)
			}
		case "next_page_uri":
			var uri *string
			if err = decoder.Decode(&uri); uri != nil {
				next = *uri
			}
		default:
			var ignored json.RawMessage
			err = decoder.Decode(&ignored)
		}
		if err != nil {
			return "", undocumented(err)
		}
	}
	if _, err := decoder.Token(); err != nil { // the closing brace
		return "", undocumented(errors.New("unexpected end of JSON"))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return "", undocumented(errors.New("unexpected data after the JSON object"))
	}
	if !found {
		return "", errNoList{field}
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
	switch token, err := decoder.Token(); {
	case err != nil:
		return undocumented(err)
	case token == nil:
		return nil
	case token != json.Delim('['):
		return undocumented(errors.New("expected an array"))
	}
	for n := 0; decoder.More(); n++ {
		if n == maxItems {
			return undocumented(fmt.Errorf("expected at most %d items", maxItems))
		}
		if err := item(decoder); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return undocumented(err)
	}
	return nil
}
