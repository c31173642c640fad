package api

import (
	"context"
	"fmt"
	"iter"
	"slices"
)

// BackendUsers returns the objects that send traffic to a backend, such as
// "failover backend bkdfo_2abc". Objects in lists that cannot be read are
// missing.
func (c *Client) BackendUsers(ctx context.Context, id string) []string {
	var users []string
	for backend := range readable(c.FailoverBackends().List(ctx)) {
		if slices.Contains(backend.Backends, id) {
			users = append(users, "failover backend "+backend.ID)
		}
	}
	users = append(users, c.edges(ctx, func(edge *Edge) bool { return edge.Backend != nil && edge.Backend.ID() == id })...)
	for edge := range readable(c.HTTPSEdges().List(ctx)) {
		for _, route := range edge.Routes {
			if route.Backend != nil && route.Backend.ID() == id {
				users = append(users, fmt.Sprintf("route %s of HTTPS edge %s", route.ID, edge.ID))
			}
		}
	}
	slices.Sort(users)
	return users
}

// CertificateAuthorityUsers returns the SSH host certificates that an SSH
// certificate authority has signed. Certificates in a list that cannot be read
// are missing.
func (c *Client) CertificateAuthorityUsers(ctx context.Context, id string) []string {
	var users []string
	for certificate := range readable(c.SSHHostCertificates().List(ctx)) {
		if certificate.SSHCertificateAuthorityID == id {
			users = append(users, "SSH host certificate "+certificate.ID)
		}
	}
	slices.Sort(users)
	return users
}

// CertificateUsers returns the reserved domains that use a TLS certificate.
// Domains in a list that cannot be read are missing.
func (c *Client) CertificateUsers(ctx context.Context, id string) []string {
	var users []string
	for domain := range readable(c.ReservedDomains().List(ctx)) {
		if domain.Certificate != nil && domain.Certificate.ID == id {
			users = append(users, fmt.Sprintf("reserved domain %s (%s)", domain.ID, domain.Domain))
		}
	}
	slices.Sort(users)
	return users
}

// HostportUsers returns the edges with a hostport of which uses is true. Edges
// in lists that cannot be read are missing.
func (c *Client) HostportUsers(ctx context.Context, uses func(hostport string) bool) []string {
	users := c.edges(ctx, func(edge *Edge) bool { return slices.ContainsFunc(edge.Hostports, uses) })
	for edge := range readable(c.HTTPSEdges().List(ctx)) {
		if slices.ContainsFunc(edge.Hostports, uses) {
			users = append(users, "HTTPS edge "+edge.ID)
		}
	}
	slices.Sort(users)
	return users
}

// edges returns the TLS and TCP edges of which uses is true.
func (c *Client) edges(ctx context.Context, uses func(*Edge) bool) []string {
	var users []string
	for noun, edges := range map[string]*Edges{"TLS edge ": c.TLSEdges(), "TCP edge ": c.TCPEdges()} {
		for edge := range readable(edges.List(ctx)) {
			if uses(edge) {
				users = append(users, noun+edge.ID)
			}
		}
	}
	return users
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
