package api

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// A User is an object that refers to another one.
type User struct {
	// Text is its kind and id, such as "failover backend bkdfo_2abc".
	Text string
	// ids are its id and, if it has one, that of its parent.
	ids []string
}

func user(noun, id string) User { return User{noun + " " + id, []string{id}} }

// Settles reports whether the service may soon accept the deletion of an object
// that it refused because of its users: this client has just changed or deleted
// all of them, or other objects if no users are known.
func (c *Client) Settles(users []User) bool {
	for _, user := range users {
		if !slices.ContainsFunc(user.ids, c.sightings.isTouched) {
			return false
		}
	}
	return c.sightings.anyTouched()
}

// Settle repeats a request while again is true for its error, for 10 seconds,
// and returns the last error.
func (c *Client) Settle(ctx context.Context, err error, again func(error) bool, repeat func(context.Context) error) error {
	return c.settle(ctx, err, again, repeat)
}

// BackendUsers returns the objects that send traffic to a backend, such as
// "failover backend bkdfo_2abc". Objects in lists that cannot be read are
// missing.
func (c *Client) BackendUsers(ctx context.Context, id string) []User {
	var users []User
	for backend := range readable(c.FailoverBackends().List(ctx)) {
		if slices.Contains(backend.Backends, id) {
			users = append(users, user("failover backend", backend.ID))
		}
	}
	users = append(users, c.edges(ctx, func(edge *Edge) bool { return edge.Backend != nil && edge.Backend.ID() == id })...)
	for edge := range readable(c.HTTPSEdges().List(ctx)) {
		for _, route := range edge.Routes {
			if route.Backend != nil && route.Backend.ID() == id {
				users = append(users, User{fmt.Sprintf("route %s of HTTPS edge %s", route.ID, edge.ID), []string{route.ID, edge.ID}})
			}
		}
	}
	sortUsers(users)
	return users
}

// CertificateAuthorityUsers returns the SSH host certificates that an SSH
// certificate authority has signed. Certificates in a list that cannot be read
// are missing.
func (c *Client) CertificateAuthorityUsers(ctx context.Context, id string) []User {
	var users []User
	for certificate := range readable(c.SSHHostCertificates().List(ctx)) {
		if certificate.SSHCertificateAuthorityID == id {
			users = append(users, user("SSH host certificate", certificate.ID))
		}
	}
	sortUsers(users)
	return users
}

// CertificateUsers returns the reserved domains that use a TLS certificate.
// Domains in a list that cannot be read are missing.
func (c *Client) CertificateUsers(ctx context.Context, id string) []User {
	var users []User
	for domain := range readable(c.ReservedDomains().List(ctx)) {
		if domain.Certificate != nil && domain.Certificate.ID == id {
			users = append(users, User{fmt.Sprintf("reserved domain %s (%s)", domain.ID, domain.Domain), []string{domain.ID}})
		}
	}
	sortUsers(users)
	return users
}

// HostportUsers returns the edges with a hostport of which uses is true. Edges
// in lists that cannot be read are missing.
func (c *Client) HostportUsers(ctx context.Context, uses func(hostport string) bool) []User {
	users := c.edges(ctx, func(edge *Edge) bool { return slices.ContainsFunc(edge.Hostports, uses) })
	for edge := range readable(c.HTTPSEdges().List(ctx)) {
		if slices.ContainsFunc(edge.Hostports, uses) {
			users = append(users, user("HTTPS edge", edge.ID))
		}
	}
	sortUsers(users)
	return users
}

// edges returns the TLS and TCP edges of which uses is true.
func (c *Client) edges(ctx context.Context, uses func(*Edge) bool) []User {
	var users []User
	for noun, edges := range map[string]*Edges{"TLS edge": c.TLSEdges(), "TCP edge": c.TCPEdges()} {
		for edge := range readable(edges.List(ctx)) {
			if uses(edge) {
				users = append(users, user(noun, edge.ID))
			}
		}
	}
	return users
}

func sortUsers(users []User) {
	slices.SortFunc(users, func(a, b User) int { return strings.Compare(a.Text, b.Text) })
}

// readable returns the objects of a list up to its first error.
func readable[T any](objects iter.Seq2[*T, error]) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for object, err := range objects {
			if err != nil || !yield(object) {
				return
			}
		}
	}
}
