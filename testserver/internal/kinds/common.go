package kinds

import (
	"cmp"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// identified contains the fields of every object with an id. Its methods define the
// default of no references, no unique value and no label.
type identified struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	URI       string    `json:"uri,omitempty"` // only in views
}

func (i identified) Key() string        { return i.ID }
func (i identified) Order() string      { return i.ID }
func (i identified) Refers() []string   { return nil }
func (i identified) Unique() string     { return "" }
func (i identified) Label() string      { return "" }
func (i identified) Created() time.Time { return i.CreatedAt }
func (i *identified) SetURI(uri string) { i.URI = uri }

// common contains the fields of an object with a description and metadata.
type common struct {
	identified
	Description *string `json:"description,omitempty"` // nil if it was never set
	Metadata    *string `json:"metadata,omitempty"`    // nil if it was never set
}

// Label returns the description, for kinds that have nothing better.
func (c common) Label() string { return orExisting(c.Description, "") }

// Maximum sizes of free texts in bytes of UTF-8.
const (
	maxDescription = 255
	maxMetadata    = 4096
)

// newCommon returns the common fields of a new object.
func newCommon(c *engine.Call, in *body.Object) common {
	return common{identified: newIdentified(c, in)}.updated(in)
}

// newIdentified returns the id and creation time of a new object. Forced out-of-band
// requests can set both.
func newIdentified(c *engine.Call, in *body.Object) identified {
	base := identified{ID: c.NewID(c.Prefix), CreatedAt: c.Time.Truncate(time.Second)}
	if in.Forced() {
		base.ID = orExisting(in.Text("id"), base.ID)
		base.CreatedAt = orExisting(in.Time("created_at"), base.CreatedAt)
		if !engine.ValidID(base.ID) || !strings.HasPrefix(base.ID, c.Prefix) {
			in.Refuse("id", "invalid id: expected %s followed by letters, digits or the characters _ . -", c.Prefix)
		}
	}
	return base
}

// updated returns the common fields with the description and metadata of a
// request. Omitted fields do not change.
func (c common) updated(in *body.Object) common {
	c.Description = cmp.Or(in.TextUpTo("description", maxDescription), c.Description)
	c.Metadata = cmp.Or(in.TextUpTo("metadata", maxMetadata), c.Metadata)
	return c
}

func (c *common) base() *common { return c }

// updated returns a copy of an object with the fields that a request contains.
func updated[T any, P interface {
	*T
	base() *common
}](_ *engine.Call, old P, in *body.Object) P {
	changed := P(copyOf((*T)(old)))
	*changed.base() = old.base().updated(in)
	if own, ok := any(changed).(interface{ read(in *body.Object) }); ok {
		own.read(in)
	}
	return changed
}

// orExisting returns the value of a request, or the old value if the request
// omits it.
func orExisting[T any](given *T, old T) T {
	if given == nil {
		return old
	}
	return *given
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
