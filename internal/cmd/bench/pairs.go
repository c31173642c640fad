package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// changedPlan and refreshOnly have no -detailed-exitcode, unlike commands.
// After an apply of all kinds, Terraform may exit with code 2 for a
// refresh-only plan although it reports no changes.
var (
	changedPlan = []string{"plan", "-lock=false"}
	refreshOnly = []string{"plan", "-refresh-only", "-lock=false"}
)

// pairs compares this provider with one that does nothing, in several modes of
// Terraform and with several kinds of resources. If only is not empty, it runs
// the comparisons of one of: unchanged, policies, all-kinds.
func (s *stage) pairs(ctx context.Context, n, runs int, only string) error {
	for _, group := range []struct {
		name string
		run  func(ctx context.Context, n int, compare comparison) error
	}{
		{"unchanged", s.unchangedPairs},
		{"policies", s.policyPairs},
		{"all-kinds", s.allKindsPairs},
	} {
		if only != "" && only != group.name {
			continue
		}
		heading()
		if err := group.run(ctx, n, func(name, dir string, n int, arguments ...string) error {
			rows := []row{
				{name: name + ", a provider that does nothing", dir: dir, program: s.hollow},
				{name: name, dir: dir, program: s.provider},
			}
			_, err := s.compare(ctx, rows, n, arguments, runs)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// A comparison runs Terraform in a directory with both providers, and reports
// the results for n resources.
type comparison func(name, dir string, n int, arguments ...string) error

func (s *stage) unchangedPairs(_ context.Context, n int, compare comparison) error {
	_, own, err := s.prepare(n)
	if err != nil {
		return err
	}
	certificates, err := s.certificates(n)
	if err != nil {
		return err
	}
	planOnly := append([]string{"plan", "-refresh=false"}, commands[0].arguments[1:]...)
	if err := compare("plan -refresh=false", own, n, planOnly...); err != nil {
		return err
	}
	if err := compare("plan -refresh=false, TLS certificates", certificates, n, planOnly...); err != nil {
		return err
	}
	first := "/ssh_credentials/" + s.service.List("/ssh_credentials")[0]["id"].(string)
	s.service.Edit(first, `{"description": "changed"}`)
	return compare("plan, one of them changed", own, n, changedPlan...)
}

func (s *stage) policyPairs(ctx context.Context, n int, compare comparison) error {
	policies, err := s.applied(ctx, "policies", providerBlock+longPolicies, n/10)
	if err != nil {
		return err
	}
	if err := compare("plan, policies with 100 rules", policies, n/10, commands[0].arguments...); err != nil {
		return err
	}
	return compare("refresh-only, policies with 100 rules", policies, n/10, refreshOnly...)
}

func (s *stage) allKindsPairs(ctx context.Context, n int, compare comparison) error {
	all, err := s.applied(ctx, "all", providerBlock+allKinds(3*n/20), 3*n/20)
	if err != nil {
		return err
	}
	if err := compare("plan, resources of all kinds", all, 3*n, commands[0].arguments...); err != nil {
		return err
	}
	return compare("refresh-only, resources of all kinds", all, 3*n, refreshOnly...)
}

// unapplied starts a new service and returns a directory with a configuration
// whose local value keys contains n SSH public keys, and certificates n TLS
// certificates with their private key.
func (s *stage) unapplied(name, configuration string, n int) (string, error) {
	_, own, err := s.prepareLimited(2*n, 0)
	if err != nil {
		return "", err
	}
	chains, private, err := newCertificates(n)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"chains": chains, "private_key": private})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(s.dir, name)
	if err := os.Rename(own, dir); err != nil {
		return "", err
	}
	if err := os.Remove(filepath.Join(dir, "terraform.tfstate")); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "certificates.json"), text, 0o600); err != nil {
		return "", err
	}
	configuration = fmt.Sprintf(`locals {
  n            = %d
  keys         = jsondecode(file("${path.module}/keys.json"))
  certificates = jsondecode(file("${path.module}/certificates.json"))
}
`, n) + configuration
	return dir, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600)
}

// applied is like unapplied, but also applies the configuration.
func (s *stage) applied(ctx context.Context, name, configuration string, n int) (string, error) {
	dir, err := s.unapplied(name, configuration, n)
	if err != nil {
		return "", err
	}
	_, err = s.run(ctx, row{dir: dir, program: s.provider}, []string{"apply", "-auto-approve", "-lock=false"}, false)
	return dir, err
}

const longPolicies = `resource "tunnel_tls_edge" "test" { count = local.n }
resource "tunnel_tls_edge_policy" "test" {
  count   = local.n
  edge_id = tunnel_tls_edge.test[count.index].id
  inbound = [for i in range(100) : {
    name        = "rule ${i}"
    expressions = ["conn.client_ip == '192.0.2.${i}'"]
    actions     = [{ type = "log", config = jsonencode({ metadata = { rule = i } }) }, { type = "deny" }]
  }]
}
`

// allKinds returns the configuration of n times twenty resources, and of SSH
// certificate authorities. They are in parts of at most 150 times twenty, because
// Terraform's work for a block and the one it refers to grows with the product of
// their counts.
func allKinds(n int) string {
	parts := (n + 149) / 150
	size := n / parts
	var text strings.Builder
	fmt.Fprintf(&text, `locals {
  parts = [for p in range(%d) : {
    n      = %d
    keys   = slice(local.keys, p * %[3]d, (p + 1) * %[3]d)
    chains = slice(local.certificates.chains, p * %[2]d, (p + 1) * %[2]d)
  }]
}
`, parts, size, 2*size)
	for part := range parts {
		text.WriteString(strings.NewReplacer(
			`"test"`, fmt.Sprintf(`"test%d"`, part), ".test", fmt.Sprintf(".test%d", part), "local.part", fmt.Sprintf("local.parts[%d]", part),
		).Replace(kindsOfPart))
	}
	return text.String()
}

const kindsOfPart = `resource "tunnel_tls_edge" "test" { count = local.part.n }
resource "tunnel_tls_edge_policy" "test" {
  count   = local.part.n
  edge_id = tunnel_tls_edge.test[count.index].id
  inbound = [{ expressions = ["conn.client_ip == '192.0.2.1'"], actions = [{ type = "deny" }] }]
}
resource "tunnel_tls_edge_backend" "test" {
  count      = local.part.n
  edge_id    = tunnel_tls_edge.test[count.index].id
  backend_id = tunnel_group_backend.test[count.index].id
}
resource "tunnel_tcp_edge" "test" { count = local.part.n }
resource "tunnel_tcp_edge_policy" "test" {
  count   = local.part.n
  edge_id = tunnel_tcp_edge.test[count.index].id
  inbound = [{ expressions = ["conn.client_ip == '192.0.2.1'"], actions = [{ type = "deny" }] }]
}
resource "tunnel_tcp_edge_backend" "test" {
  count      = local.part.n
  edge_id    = tunnel_tcp_edge.test[count.index].id
  backend_id = tunnel_group_backend.test[count.index].id
}
resource "tunnel_https_edge" "test" { count = local.part.n }
resource "tunnel_https_edge_route" "test" {
  count      = local.part.n
  edge_id    = tunnel_https_edge.test[count.index].id
  match_type = "path_prefix"
  match      = "/"
}
resource "tunnel_https_edge_route_backend" "test" {
  count      = local.part.n
  edge_id    = tunnel_https_edge.test[count.index].id
  route_id   = tunnel_https_edge_route.test[count.index].id
  backend_id = tunnel_group_backend.test[count.index].id
}
resource "tunnel_https_edge_route_compression" "test" {
  count    = local.part.n
  edge_id  = tunnel_https_edge.test[count.index].id
  route_id = tunnel_https_edge_route.test[count.index].id
}
resource "tunnel_https_edge_route_websocket_tcp_converter" "test" {
  count    = local.part.n
  edge_id  = tunnel_https_edge.test[count.index].id
  route_id = tunnel_https_edge_route.test[count.index].id
}
resource "tunnel_event_subscription" "test" { count = local.part.n }
resource "tunnel_event_source" "test" {
  count           = 2 * local.part.n
  subscription_id = tunnel_event_subscription.test[count.index % local.part.n].id
  type            = count.index < local.part.n ? "ip_policy_created.v0" : "ip_policy_updated.v0"
}
resource "tunnel_group_backend" "test" {
  count  = local.part.n
  labels = { app = "a${count.index}" }
}
resource "tunnel_failover_backend" "test" {
  count    = local.part.n
  backends = [tunnel_group_backend.test[count.index].id]
}
resource "tunnel_http_response_backend" "test" {
  count = local.part.n
  body  = "Back soon"
}
resource "tunnel_ssh_credential" "test" {
  count      = local.part.n
  public_key = local.part.keys[count.index]
}
resource "tunnel_ssh_certificate_authority" "test" {}
resource "tunnel_ssh_host_certificate" "test" {
  count                        = local.part.n
  ssh_certificate_authority_id = tunnel_ssh_certificate_authority.test.id
  public_key                   = local.part.keys[local.part.n + count.index]
}
resource "tunnel_tls_certificate" "test" {
  count           = local.part.n
  certificate_pem = local.part.chains[count.index]
  private_key_pem = local.certificates.private_key
}
`
