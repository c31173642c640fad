package kinds

import (
	"crypto/tls"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
	"golang.org/x/crypto/ssh"
)

// Tunnel is an open tunnel. It is not an object of the API, which shows it only in
// tunnel group backends.
type Tunnel struct {
	identified
	Labels     map[string]string `json:"labels"`  // or
	Address    string            `json:"address"` // the protocol and hostport that it serves
	Credential string            `json:"ssh_credential_id"`
}

const tunnelTable store.TableOf[*Tunnel] = "tunnels"

// Label returns what the tunnel serves.
func (t *Tunnel) Label() string {
	if len(t.Labels) == 0 {
		return t.Address
	}
	return labelText(t.Labels)
}

// Refers returns nothing: a tunnel does not keep its credential from being deleted.
func (t *Tunnel) Refers() []string { return nil }

// tunnels is the kind of tunnels for overviews. It has no endpoints.
func tunnels(s *Service) engine.Collection[*Tunnel] {
	return engine.Collection[*Tunnel]{
		Path: "/tunnels", Prefix: "tn_", Noun: "tunnel", Table: tunnelTable.In(s.store),
		Users: func(*Tunnel) []string { return nil },
	}
}

// OpenTunnel adds a tunnel, and gives it an id.
func (s *Service) OpenTunnel(api *engine.API, t *Tunnel) error {
	t.CreatedAt = api.Now()
	t.ID = api.IDs.Next("tn_", t.CreatedAt)
	return s.store.Update(func(tx *store.Tx) error { tunnelTable.In(s.store).Put(tx, t); return nil })
}

// CloseTunnel removes a tunnel.
func (s *Service) CloseTunnel(id string) error {
	return s.store.Update(func(tx *store.Tx) error { tunnelTable.In(s.store).Remove(tx, id); return nil })
}

// tunnelsOf returns the ids of the tunnels of a group at a time.
func (s *Service) tunnelsOf(b *tunnelGroupBackend, asOf time.Time) (ids []string) {
	for _, t := range tunnelTable.In(s.store).Page("", math.MaxInt, true, asOf) {
		own := maps.Clone(t.Labels)
		maps.DeleteFunc(own, func(name, value string) bool { return b.Labels[name] != value })
		if len(b.Labels) > 0 && len(own) == len(b.Labels) {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// GatewayAuthority returns the key of the newest SSH certificate authority that this
// server can sign with. It is nil if there is none.
func (s *Service) GatewayAuthority() ssh.Signer {
	for _, authority := range slices.Backward(sshCertificateAuthorityTable.In(s.store).All()) {
		if len(authority.PrivateKey) > 0 {
			if signer, err := authority.signer(); err == nil {
				return signer
			}
		}
	}
	return nil
}

// TLSCertificate returns an uploaded certificate with its private key. It is nil if the
// certificate does not exist, or if its key is not known, as after a restart.
func (s *Service) TLSCertificate(id string) *tls.Certificate {
	found, ok := tlsCertificateTable.In(s.store).Get(id)
	if !ok {
		return nil
	}
	return found.pair
}

// Destination is where the events of a type go.
type Destination struct {
	ID          string `json:"event_destination_id"`
	Kind        string `json:"target"` // such as debug
	CallbackURL string `json:"callback_url,omitempty"`
	Log         bool   `json:"-"`
}

// Destinations returns the destinations of all subscriptions with a source of a type.
func (s *Service) Destinations(eventType string) []Destination {
	var all []Destination
	for _, subscription := range eventSubscriptionTable.In(s.store).All() {
		if _, ok := eventSourceTable.In(s.store).Get(subscription.ID + "/" + eventType); !ok {
			continue
		}
		for _, id := range subscription.DestinationIDs {
			if d, ok := eventDestinationTable.In(s.store).Get(id); ok {
				to := Destination{ID: id, Kind: d.Target.kind()}
				to.CallbackURL, _ = d.Target["debug"]["callback_url"].(string)
				to.Log, _ = d.Target["debug"]["log"].(bool)
				all = append(all, to)
			}
		}
	}
	return all
}

// EventOf returns the type of the event of a change, such as ip_policy_created.v0, and
// the object as the API shows it. The type is empty if the change has no event.
func (s *Service) EventOf(c *engine.Call, change store.Change) (eventType string, object any) {
	at := slices.IndexFunc(objects, func(k objectKind) bool { return k.table == change.Table })
	if at < 0 {
		return "", nil
	}
	of := objects[at].of(s)
	verb, value := "updated", change.Value
	switch {
	case change.Old == nil:
		verb = "created"
	case change.Value == nil:
		verb, value = "deleted", change.Old
	}
	noun := of.Kind().Noun
	if other, ok := eventNames[noun]; ok {
		noun = other
	}
	return strings.ToLower(strings.ReplaceAll(noun, " ", "_")) + "_" + verb + ".v0", of.ShowStored(c, value)
}

// eventNames are the names of kinds in event types that are not their nouns.
var eventNames = map[string]string{"reserved domain": "domain", "reserved address": "tcp_address", "SSH credential": "ssh_public_key"}
