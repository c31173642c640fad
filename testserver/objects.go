package testserver

import (
	"strings"
	"time"
)

// common contains the fields of every object with an id. Its methods define the
// default of no references and no unique value.
type common struct {
	ID          string    `json:"id"`
	CreatedAt   time.Time `json:"created_at"`
	Description *string   `json:"description,omitempty"` // nil if it was never set
	Metadata    *string   `json:"metadata,omitempty"`    // nil if it was never set
}

func (c common) key() string        { return c.ID }
func (c common) order() string      { return c.ID }
func (c common) refers() []string   { return nil }
func (c common) unique() string     { return "" }
func (c common) created() time.Time { return c.CreatedAt }

// Maximum sizes of free texts in bytes of UTF-8.
const (
	maxDescription = 255
	maxMetadata    = 4096
)

// newCommon returns the common fields of a new object. Forced out-of-band
// requests can set the id and the creation time.
func newCommon(c *call, in *object) common {
	base := common{ID: c.newID(c.prefix), CreatedAt: c.time.Truncate(time.Second)}
	if in.isForced() {
		base.ID = orExisting(in.text("id"), base.ID)
		base.CreatedAt = orExisting(in.time("created_at"), base.CreatedAt)
		if !validID(base.ID) || !strings.HasPrefix(base.ID, c.prefix) {
			in.refuse("id", "invalid id: expected %s followed by letters, digits or the characters _ . -", c.prefix)
		}
	}
	return base.updated(in)
}

// updated returns the common fields with the description and metadata of a
// request. Omitted fields do not change.
func (c common) updated(in *object) common {
	c.Description = orOlder(in.textUpTo("description", maxDescription), c.Description)
	c.Metadata = orOlder(in.textUpTo("metadata", maxMetadata), c.Metadata)
	return c
}

// orExisting returns the value of a request, or the old value if the request
// omits it.
func orExisting[T any](given *T, old T) T {
	if given == nil {
		return old
	}
	return *given
}

// orOlder is like orExisting for fields that can be unset.
func orOlder[T any](given, old *T) *T {
	if given == nil {
		return old
	}
	return given
}

// orExistingList is like orExisting for lists. A nil list means that the
// request omits it.
func orExistingList[T any](given, old []T) []T {
	if given == nil {
		return old
	}
	return given
}

// copyOf returns a copy to modify, because stored objects are immutable.
func copyOf[T any](value *T) *T {
	changed := *value
	return &changed
}

// orEmpty replaces nil with an empty list, so that it is [] in JSON.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
