package main

import (
	"embed"
	"fmt"
	"strings"
	"time"
)

// A row is a command of Terraform for the resources of a scene.
type row struct {
	name    string
	scene   *scene
	command []string
	latency time.Duration // of the service
	single  bool          // compares with this provider without bulk reads, not with one that does nothing
	edit    string        // changes the first SSH credential at the service before
	fresh   bool          // starts without state and objects
}

// A scene is a configuration of n resources, all of which exist. Rows of one scene stand
// together, because making it takes longer than a row.
type scene struct {
	n             int
	configuration string // uses local.keys, local.chains and local.private_keys
	seeded        bool   // only SSH credentials, in blocks of equal size, are made without an apply
}

// minimalRefresh is an option from Terraform 1.17.
const minimalRefresh = "-minimal-refresh"

var (
	plan        = []string{"plan", "-lock=false", "-detailed-exitcode"}
	refreshOnly = []string{"plan", "-lock=false", "-refresh-only"}
	noRefresh   = append(plan, "-refresh=false")
	minimal     = append(plan, minimalRefresh)
	apply       = []string{"apply", "-lock=false", "-auto-approve"}

	one          = &scene{n: 1, configuration: credentials(1, 1), seeded: true}
	ssh          = &scene{n: 1000, configuration: credentials(1, 1000), seeded: true}
	blocks100    = &scene{n: 100, configuration: credentials(50, 2), seeded: true}
	blocks1000   = &scene{n: 1000, configuration: credentials(50, 20), seeded: true}
	blocks10000  = &scene{n: 10000, configuration: credentials(50, 200), seeded: true}
	certificates = &scene{n: 1000, configuration: file("certificates")}
	policies     = &scene{n: 100, configuration: file("policies")}
	all          = &scene{n: 3000, configuration: file("all_kinds")}
)

var rows = []row{
	{name: "start, until the schema", scene: one, command: []string{"providers", "schema", "-json"}},
	{name: "plan, SSH credentials", scene: ssh, command: plan},
	{name: "refresh-only, SSH credentials", scene: ssh, command: refreshOnly},
	{name: "plan -refresh=false, SSH credentials", scene: ssh, command: noRefresh},
	{name: "plan -minimal-refresh, SSH credentials", scene: ssh, command: minimal},
	{name: "plan, one GET for each SSH credential", scene: ssh, command: plan, single: true},
	{name: "plan, one GET for each SSH credential, 100 ms", scene: ssh, command: plan, single: true, latency: 100 * time.Millisecond},
	{name: "plan, one SSH credential changed", scene: ssh, command: plan[:2], edit: `{"description": "changed"}`},
	{name: "plan, SSH credentials in 50 blocks", scene: blocks100, command: plan},
	{name: "plan, SSH credentials in 50 blocks", scene: blocks1000, command: plan},
	{name: "plan, SSH credentials in 50 blocks", scene: blocks10000, command: plan},
	{name: "plan, policies with 100 rules", scene: policies, command: plan},
	{name: "refresh-only, policies with 100 rules", scene: policies, command: refreshOnly},
	{name: "plan, all kinds", scene: all, command: plan},
	{name: "refresh-only, all kinds", scene: all, command: refreshOnly},
	{name: "plan, TLS certificates", scene: certificates, command: plan},
	{name: "refresh-only, TLS certificates", scene: certificates, command: refreshOnly},
	{name: "plan -refresh=false, TLS certificates", scene: certificates, command: noRefresh},
	{name: "apply, new TLS certificates", scene: certificates, command: apply, fresh: true},
}

// credentials returns SSH credentials in several blocks. Terraform's work for one block
// grows with the square of its count.
func credentials(blocks, count int) string {
	var text strings.Builder
	for b := range blocks {
		fmt.Fprintf(&text, `resource "tunnel_ssh_credential" "test%d" {
  count       = %d
  public_key  = local.keys[%d + count.index]
  description = "seeded ${%[3]d + count.index}"
}
`, b, count, b*count)
	}
	return text.String()
}

// allKinds are 150 resources of each kind, and an SSH certificate authority.

//go:embed scenes
var scenes embed.FS

func file(name string) string {
	content, err := scenes.ReadFile("scenes/" + name + ".tf")
	if err != nil {
		panic(err)
	}
	return string(content)
}
