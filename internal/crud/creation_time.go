package crud

// This file keeps a promise: the next run knows that an object is new, also if the
// service does not show when it was created.

import (
	"context"
	"encoding/json"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// creationTimeKey is the key of the private state that holds when the object was created,
// in RFC 3339, by the service's clock.
const creationTimeKey = "created_at"

// private is the private state of a resource.
type private interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// saveCreationTime saves when an object was created.
func saveCreationTime(ctx context.Context, state private, createdAt time.Time) diag.Diagnostics {
	if createdAt.IsZero() {
		return nil
	}
	value, err := json.Marshal(createdAt)
	if err != nil {
		panic(err) // the year of a Date header has four digits
	}
	return state.SetKey(ctx, creationTimeKey, value)
}

// withCreationTime returns a context with the saved time.
func withCreationTime(ctx context.Context, state private) context.Context {
	value, _ := state.GetKey(ctx, creationTimeKey)
	var createdAt time.Time
	if json.Unmarshal(value, &createdAt) != nil {
		return ctx
	}
	return api.WithCreationTime(ctx, &createdAt)
}
