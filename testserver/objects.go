package testserver

import (
	"net/http"
	"strings"
	"time"
)

// objects is a table for each kind of object.
type objects struct {
	sshHostCertificates       *table[*sshHostCertificate]
	sshCredentials            *table[*sshCredential]
	tlsCertificates           *table[*tlsCertificate]
	failoverBackends          *table[*failoverBackend]
	tunnelGroupBackends       *table[*tunnelGroupBackend]
	httpResponseBackends      *table[*httpResponseBackend]
	eventSources              *table[*eventSource]
	sshCertificateAuthorities *table[*sshCertificateAuthority]
	tlsEdges                  *table[*edge]
	tcpEdges                  *table[*edge]
	httpsEdges                *table[*httpsEdge]
	httpsEdgeRoutes           *table[*httpsEdgeRoute]
	eventSubscriptions        *table[*eventSubscription]
	origins                   *table[*origin]
}

func newObjects(store *Store) objects {
	return objects{
		sshHostCertificates:       newTable[*sshHostCertificate](store, "ssh_host_certificates"),
		sshCredentials:            newTable[*sshCredential](store, "ssh_credentials"),
		tlsCertificates:           newTable[*tlsCertificate](store, "tls_certificates"),
		failoverBackends:          newTable[*failoverBackend](store, "failover_backends"),
		tunnelGroupBackends:       newTable[*tunnelGroupBackend](store, "tunnel_group_backends"),
		httpResponseBackends:      newTable[*httpResponseBackend](store, "http_response_backends"),
		eventSources:              newTable[*eventSource](store, "event_sources"),
		sshCertificateAuthorities: newTable[*sshCertificateAuthority](store, "ssh_certificate_authorities"),
		tlsEdges:                  newTable[*edge](store, "tls_edges"),
		tcpEdges:                  newTable[*edge](store, "tcp_edges"),
		httpsEdges:                newTable[*httpsEdge](store, "https_edges"),
		httpsEdgeRoutes:           newTable[*httpsEdgeRoute](store, "https_edge_routes"),
		eventSubscriptions:        newTable[*eventSubscription](store, "event_subscriptions"),
		origins:                   newTable[*origin](store, "origins"),
	}
}

// common is what every object with an id has. Unless an object says otherwise, it refers to nothing and has nothing unique.
type common struct {
	ID          string    `json:"id"`
	CreatedAt   time.Time `json:"created_at"`
	Description *string   `json:"description,omitempty"` // nil: never set
	Metadata    *string   `json:"metadata,omitempty"`    // nil: never set
}

func (c common) key() string        { return c.ID }
func (c common) order() string      { return c.ID }
func (c common) refers() []string   { return nil }
func (c common) unique() string     { return "" }
func (c common) created() time.Time { return c.CreatedAt }

// Limits of the free texts, in bytes of UTF-8.
const (
	maxDescription = 255
	maxMetadata    = 4096
)

// newCommon begins an object. Behind the client's back, its id and creation time can be given.
func newCommon(c *call, in *object) common {
	base := common{ID: c.newID(), CreatedAt: c.time.Truncate(time.Second)}
	if in.forced {
		base.ID = orOld(in.text("id"), base.ID)
		base.CreatedAt = orOld(in.time("created_at"), base.CreatedAt)
		if !validID(base.ID) || !strings.HasPrefix(base.ID, c.prefix) {
			in.refuse("id", "id must begin with %s and hold only letters, digits and the characters _ . -", c.prefix)
		}
	}
	return base.updated(in)
}

// updated takes description and metadata from a request. What the request omits stays.
func (c common) updated(in *object) common {
	c.Description = orOlder(in.textUpTo("description", maxDescription), c.Description)
	c.Metadata = orOlder(in.textUpTo("metadata", maxMetadata), c.Metadata)
	return c
}

// orOld returns what a request holds, or what was there before.
func orOld[T any](given *T, old T) T {
	if given == nil {
		return old
	}
	return *given
}

// orOlder is orOld for fields that may be unset.
func orOlder[T any](given, old *T) *T {
	if given == nil {
		return old
	}
	return given
}

// orOldList is orOld for lists; nil means that the request omits them.
func orOldList[T any](given, old []T) []T {
	if given == nil {
		return old
	}
	return given
}

// copyOf returns a copy to change: what a table holds is never changed.
func copyOf[T any](value *T) *T {
	changed := *value
	return &changed
}

// orEmpty returns a list that is [] in JSON if it has no elements.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func ok(value any) (*reply, error) {
	return &reply{status: http.StatusOK, value: value}, nil
}

func made(value any) (*reply, error) {
	return &reply{status: http.StatusCreated, value: value}, nil
}

func gone() (*reply, error) {
	return &reply{status: http.StatusNoContent}, nil
}
