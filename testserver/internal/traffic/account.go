// Package traffic decides what a data plane does with a request, by the objects of an
// account. It only reads: it sees the account as the store tells it, and nothing of the
// server may use it to decide what an API request does. What is fact and what is assumed
// stands at the assumptions in decide.go.
package traffic

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Account is the objects that decide about traffic, indexed by what a request brings.
type Account struct {
	objects map[string]any // by table and key
	hosts   index[string, *endpoint]
	routes  map[string]index[string, *endpoint] // by edge and match
	rules   index[string, *ipRule]              // by IP policy
	domains index[string, *domain]              // by lower-case name
	others  map[string]any                      // backends and certificates, by id

	credentials map[string]*credential // by public key in base64
	reserved    map[string]bool        // reserved addresses
}

// index has objects by a key, oldest first.
type index[K comparable, T object] map[K][]T

type object interface{ identity() common }

func (x index[K, T]) put(key K, value T, in bool) {
	at, _ := slices.BinarySearchFunc(x[key], value, older)
	if in {
		x[key] = slices.Insert(x[key], at, value)
	} else if x[key] = slices.Delete(x[key], at, at+1); len(x[key]) == 0 {
		delete(x, key)
	}
}

// common is what all objects have. Ids are made in the order of time.
type common struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"created_at"`
}

func (c common) identity() common { return c }

func older[T object](a, b T) int {
	x, y := a.identity(), b.identity()
	return cmp.Or(x.CreatedAt.Compare(y.CreatedAt), cmp.Compare(x.ID, y.ID))
}

// endpoint is an edge or a route.
type endpoint struct {
	common
	protocol  string
	Hostports []string `json:"hostports"` // of an edge
	EdgeID    string   `json:"edge_id"`   // of a route, as the next two
	MatchType string   `json:"match_type"`
	Match     string   `json:"match"`

	Backend *struct {
		Enabled bool   `json:"enabled"`
		ID      string `json:"backend_id"`
	} `json:"backend"`
	IPRestriction *struct {
		Enabled  bool     `json:"enabled"`
		Policies []string `json:"ip_policy_ids"`
	} `json:"ip_restriction"`
	Policy                *policy `json:"policy"` // of an edge
	Compression           *toggle `json:"compression"`
	WebsocketTCPConverter *toggle `json:"websocket_tcp_converter"`
}

type toggle struct {
	Enabled bool `json:"enabled"`
}

// modules are the modules of an endpoint, by their names in the API.
func (e *endpoint) modules() map[string]any {
	return map[string]any{
		"backend": e.Backend, "ip_restriction": e.IPRestriction, "policy": e.Policy,
		"compression": e.Compression, "websocket_tcp_converter": e.WebsocketTCPConverter,
	}
}

type policy struct {
	Enabled  bool         `json:"enabled"`
	Inbound  []policyRule `json:"inbound"`
	Outbound []policyRule `json:"outbound"` // they cannot refuse
}

type policyRule struct {
	Name        string   `json:"name"`
	Expressions []string `json:"expressions"`
	Actions     []struct {
		Type   string          `json:"type"`
		Config json.RawMessage `json:"config"`
	} `json:"actions"`
}

type ipRule struct {
	common
	PolicyID  string `json:"ip_policy_id"`
	Action    string `json:"action"`
	CIDR      string `json:"cidr"`
	addresses netip.Prefix
}

type domain struct {
	common
	Domain        string    `json:"domain"`
	CertificateID string    `json:"certificate_id"`
	Managed       *struct{} `json:"certificate_management_policy"`
}

type certificate struct {
	common
	SANs struct {
		DNSNames []string `json:"dns_names"`
	} `json:"subject_alternative_names"`
	NotBefore time.Time `json:"not_before"`
	NotAfter  time.Time `json:"not_after"`
}

// Response is an HTTP response backend.
type Response struct {
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"`
	StatusCode int               `json:"status_code"`
}

type credential struct {
	common
	PublicKey string   `json:"public_key"`
	ACL       []string `json:"acl"`
}

type address struct {
	Addr string `json:"addr"`
}

type group struct {
	Labels map[string]string `json:"labels"`
}

type failover struct {
	Backends []string `json:"backends"`
}

// empty returns an empty object for each table whose objects decide about traffic.
var empty = map[string]func() any{
	"https_edges":            func() any { return &endpoint{protocol: "https"} },
	"tls_edges":              func() any { return &endpoint{protocol: "tls"} },
	"tcp_edges":              func() any { return &endpoint{protocol: "tcp"} },
	"https_edge_routes":      func() any { return &endpoint{} },
	"ip_policy_rules":        func() any { return &ipRule{} },
	"reserved_domains":       func() any { return &domain{} },
	"tls_certificates":       func() any { return &certificate{} },
	"http_response_backends": func() any { return &Response{} },
	"tunnel_group_backends":  func() any { return &group{} },
	"failover_backends":      func() any { return &failover{} },
	"ssh_credentials":        func() any { return &credential{} },
	"reserved_addrs":         func() any { return &address{} },
}

// NewAccount returns an account without objects.
func NewAccount() *Account {
	return &Account{
		objects: map[string]any{}, hosts: index[string, *endpoint]{}, routes: map[string]index[string, *endpoint]{},
		rules: index[string, *ipRule]{}, domains: index[string, *domain]{}, others: map[string]any{},
		credentials: map[string]*credential{}, reserved: map[string]bool{},
	}
}

// Apply applies changes, and returns those that can matter.
func (a *Account) Apply(changes []store.Change) (made []Change) {
	for _, c := range changes {
		create, decides := empty[c.Table]
		if !decides {
			continue
		}
		key := c.Table + "/" + c.Key
		old, now := a.objects[key], any(nil)
		if old != nil {
			a.put(c.Key, old, false)
			delete(a.objects, key)
		}
		if c.Value != nil {
			now = create()
			text, _ := json.Marshal(c.Value) // as on disk
			_ = json.Unmarshal(text, now)    // of the same types
			a.objects[key] = now
			a.put(c.Key, now, true)
		}
		made = append(made, changesOf(c.Key, old, now)...)
	}
	return made
}

func (a *Account) put(key string, object any, in bool) {
	switch o := object.(type) {
	case *endpoint:
		for _, hostport := range o.Hostports {
			a.hosts.put(o.protocol+" "+strings.ToLower(hostport), o, in)
		}
		if a.routes[o.EdgeID] == nil {
			a.routes[o.EdgeID] = index[string, *endpoint]{}
		}
		a.routes[o.EdgeID].put(o.Match, o, in)
	case *ipRule:
		o.addresses = parseRange(o.CIDR)
		a.rules.put(o.PolicyID, o, in)
	case *domain:
		a.domains.put(strings.ToLower(o.Domain), o, in)
	case *credential:
		_, line, _ := strings.Cut(o.PublicKey, " ")
		blob, _, _ := strings.Cut(line, " ")
		if delete(a.credentials, blob); in {
			a.credentials[blob] = o
		}
	case *address:
		a.reserved[strings.ToLower(o.Addr)] = in
	default:
		if delete(a.others, key); in {
			a.others[key] = o
		}
	}
}

// parseRange returns a range in CIDR notation or of one address. It is empty if the text
// is neither.
func parseRange(text string) netip.Prefix {
	prefix, err := netip.ParsePrefix(text)
	if address, addressErr := netip.ParseAddr(text); err != nil && addressErr == nil {
		prefix = netip.PrefixFrom(address, address.BitLen())
	}
	return prefix.Masked()
}

// Change is what a transaction has done to an object, or to a module of an edge or route.
type Change struct {
	Verb string // creation, change or deletion
	Key  string // id of the object; for a module, that of its owner, a slash and its name
}

// changesOf returns what differs between two states of an object. Each is nil if there is
// none.
func changesOf(key string, old, now any) (made []Change) {
	key = key[strings.LastIndexByte(key, '/')+1:] // without the parent
	before, isEndpoint := old.(*endpoint)
	after, isNow := now.(*endpoint)
	switch {
	case old == nil:
		return []Change{{"creation", key}}
	case now == nil:
		return []Change{{"deletion", key}}
	case !isEndpoint || !isNow:
		return []Change{{"change", key}}
	}
	then, later := before.modules(), after.modules()
	for _, name := range slices.Sorted(maps.Keys(then)) {
		verb := "change"
		switch {
		case reflect.DeepEqual(then[name], later[name]):
			continue
		case reflect.ValueOf(then[name]).IsNil():
			verb = "creation"
		case reflect.ValueOf(later[name]).IsNil():
			verb = "deletion"
		}
		made = append(made, Change{verb, key + "/" + name})
	}
	if made == nil {
		made = []Change{{"change", key}}
	}
	return made
}
