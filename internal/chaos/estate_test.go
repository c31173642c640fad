package chaos

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// estate is a configuration with many objects of different kinds, some of them
// identical. A new revision changes every object that can change.
type estate struct {
	Authority     string        `json:"authority"`
	Subscriptions []string      `json:"subscriptions"`
	TLSEdges      []string      `json:"tls_edges"`
	TCPEdges      []string      `json:"tcp_edges"`
	HTTPSEdge     string        `json:"https_edge"`
	Routes        []string      `json:"routes"`
	Keys          []string      `json:"keys"`
	Certificates  []certificate `json:"certificates"`

	scale  int
	before map[string]bool // paths of the objects that existed before
}

type certificate struct {
	Chain string `json:"chain"`
	Key   string `json:"key"`
}

// newEstate creates the parents and keys for the objects. There are 30 objects
// per unit of scale.
func newEstate(t *testing.T, w *acctest.Env, scale int) *estate {
	t.Helper()
	e := &estate{Authority: w.Parents.SSHCertificateAuthority, HTTPSEdge: w.Parents.HTTPSEdge, scale: scale}
	for range scale {
		e.Subscriptions = append(e.Subscriptions, w.CreateEventSubscription())
		e.TLSEdges = append(e.TLSEdges, w.CreateTLSEdge())
		e.TCPEdges = append(e.TCPEdges, w.CreateTCPEdge())
		e.Routes = append(e.Routes, w.CreateHTTPSEdgeRoute(e.HTTPSEdge))
		for range 5 {
			e.Keys = append(e.Keys, testcert.PublicKey(t, "chaos"))
			chain := testcert.ChainOf{}.New(t)
			e.Certificates = append(e.Certificates, certificate{chain.PEM(), chain.PKCS8(t)})
		}
	}
	e.before = map[string]bool{}
	for _, path := range w.Paths() {
		e.before[path] = true
	}
	return e
}

// size returns the number of objects.
func (e *estate) size() int { return 30 * e.scale }

// write writes the configuration.
func (e *estate) write(tf *terraform) {
	tf.t.Helper()
	data, err := json.Marshal(e)
	if err != nil {
		tf.t.Fatal(err)
	}
	tf.Write(tf.t, "data.json", string(data))
	tf.Write(tf.t, "objects.tf", strings.ReplaceAll(objects, "SCALE", fmt.Sprint(e.scale)))
}

// objects is the configuration. Per unit of scale, it has 15 certificates and
// credentials, 6 tunnel group backends, 3 failover backends, 2 event sources,
// and one of each of 4 kinds of modules.
const objects = `
provider "tunnel" {
  request_timeout = "1s"
}

variable "revision" {
  type    = number
  default = 1
}

locals {
  data = jsondecode(file("${path.module}/data.json"))
}

resource "tunnel_ssh_host_certificate" "all" {
  count                        = 5 * SCALE
  description                  = "chaos ${var.revision}"
  ssh_certificate_authority_id = local.data.authority
  public_key                   = local.data.keys[floor(count.index / 2)] # each twice
  principals                   = ["b.example.com", "a.example.com"]
}

resource "tunnel_ssh_credential" "all" {
  count       = 5 * SCALE
  description = "chaos ${var.revision} ${count.index}"
  public_key  = local.data.keys[count.index]
  acl         = ["bind:b${var.revision}.example.com", "bind:a.example.com"]
}

resource "tunnel_tls_certificate" "all" {
  count           = 5 * SCALE
  description     = "chaos"
  metadata        = jsonencode({ revision = var.revision })
  certificate_pem = local.data.certificates[count.index].chain
  private_key_pem = local.data.certificates[count.index].key
}

resource "tunnel_group_backend" "all" {
  count    = 6 * SCALE
  metadata = var.revision > 1 ? "changed" : null
  labels   = { app = "web", shard = tostring(count.index % (3 * SCALE)) } # each twice
}

resource "tunnel_failover_backend" "all" {
  count       = 3 * SCALE
  description = "chaos ${var.revision}"
  backends    = [tunnel_group_backend.all[count.index].id, tunnel_group_backend.all[count.index + SCALE].id]
}

resource "tunnel_event_source" "all" {
  count           = 2 * SCALE
  subscription_id = local.data.subscriptions[floor(count.index / 2)]
  type            = count.index % 2 == 0 ? "domain_created.v0" : "domain_deleted.v0"
}

resource "tunnel_tls_edge_policy" "all" {
  count   = SCALE
  edge_id = local.data.tls_edges[count.index]
  inbound = [{
    name        = "only ours ${var.revision}"
    expressions = ["!conn.client_ip.startsWith('10.${count.index}.')"]
    actions     = [{ type = "log", config = jsonencode({ metadata = { revision = var.revision } }) }, { type = "deny" }]
  }]
}

resource "tunnel_tcp_edge_policy" "all" {
  count   = SCALE
  edge_id = local.data.tcp_edges[count.index]
  enabled = var.revision % 2 == 1
}

resource "tunnel_https_edge_route_compression" "all" {
  count    = SCALE
  edge_id  = local.data.https_edge
  route_id = local.data.routes[count.index]
  enabled  = var.revision % 2 == 1
}

resource "tunnel_https_edge_route_websocket_tcp_converter" "all" {
  count    = SCALE
  edge_id  = local.data.https_edge
  route_id = local.data.routes[count.index]
  enabled  = var.revision % 2 == 0
}
`
