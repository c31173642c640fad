package traffic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"net"
	"slices"
	"strings"
	"time"
)

// World is what a decision depends on besides the account.
type World struct {
	Tunnels []map[string]string // labels of the open tunnels
	Bound   Bound               // protocol and hostport of those that have these instead of labels
	Now     time.Time
	Off     map[string]bool // names of assumptions that do not hold, as behaviors have them
}

// Decision is what a client sees, and why.
type Decision struct {
	Answer      string   `json:"answer"`                // such as "200 \"hello\"", "tunnel app=web" or "404: no route"
	Certificate string   `json:"certificate,omitempty"` // of HTTPS: what it is valid for and until when, or what is wrong
	Shown       string   `json:"shown,omitempty"`       // id of the certificate that the client gets
	Reaches     bool     `json:"reaches"`               // nothing refuses the client: it reaches a backend
	Served      bool     `json:"served"`                // and gets an answer of it, with a valid certificate
	Stops       []Stop   `json:"stops"`                 // what has decided, in order
	Assumed     []string `json:"assumed"`               // names of assumptions, and what is not known
	Target      Target   `json:"-"`
}

// Target is what a data plane does with the request.
type Target struct {
	NoCertificate bool // of a domain that the service has not issued one for

	Status    int       // of a refusal, as HTTPS has it; 0 if a backend answers
	Response  *Response // of an HTTP response backend
	Tunnels   []string  // the labels, or the protocol and hostport, of those of which one answers
	Compress  bool
	Websocket bool              // frames are converted to bytes
	Logged    []json.RawMessage // configs of the actions log
}

// Stop is an object that has decided.
type Stop struct {
	ID   string `json:"id"`
	Says string `json:"says"`
}

// decision is one that is being made.
type decision struct {
	*Account
	World
	Request
	Decision
}

// Decide decides about a request.
func (a *Account) Decide(r Request, w World) Decision {
	d := &decision{Account: a, World: w, Request: r}
	d.Stops, d.Assumed = []Stop{}, []string{}
	valid := r.Protocol != "https" || d.certificate()
	d.Reaches, d.Served = d.endpoint()
	d.Served = d.Served && valid
	return d.Decision
}

func (d *decision) stop(id, format string, arguments ...any) {
	d.Stops = append(d.Stops, Stop{id, fmt.Sprintf(format, arguments...)})
}

// assume notes an assumption, and reports whether it holds.
func (d *decision) assume(name string) bool {
	if !slices.Contains(d.Assumed, name) {
		d.Assumed = append(d.Assumed, name)
	}
	return !d.Off[name]
}

// refuse sets the answer of a request that reaches no backend.
func (d *decision) refuse(status int, reason string) (reaches, served bool) {
	d.Target.Status, d.Answer = status, fmt.Sprintf("%d: %s", status, reason)
	if d.Protocol != "https" {
		d.Answer = "closed: " + reason
	}
	return false, false
}

// wildcard returns the wildcard that covers a host, for its first label only.
func wildcard(host string) string {
	_, parent, _ := strings.Cut(host, ".")
	return "*." + parent
}

// endpoint decides which edge and route serve the request, and whether they let it pass.
func (d *decision) endpoint() (reaches, served bool) {
	edge, exact := d.edge(), d.Protocol+" "+net.JoinHostPort(d.Host, d.Port)
	if edge == nil || d.Bound[exact] && len(d.hosts[exact]) == 0 {
		if bound := d.Bound.covering(d.Protocol, d.Host, d.Port); bound != "" {
			d.Target.Tunnels, d.Answer = []string{bound}, "tunnel of "+bound
			return true, true
		}
		return d.refuse(404, "no edge has "+net.JoinHostPort(d.Host, d.Port))
	}
	d.stop(edge.ID, "serves %s", net.JoinHostPort(d.Host, d.Port))
	serving := edge
	if d.Protocol == "https" {
		if serving = d.route(edge.ID); serving == nil {
			return d.refuse(404, "no route")
		}
		d.stop(serving.ID, "matches %s", serving.Match)
	}
	if r := serving.IPRestriction; r != nil && r.Enabled && !d.allowed(r.Policies) {
		return d.refuse(403, "refused by the IP restriction")
	}
	if p := edge.Policy; p != nil && p.Enabled && d.Protocol != "https" && d.denied(edge.ID, p.Inbound) {
		return false, false
	}
	if serving.Backend == nil || !serving.Backend.Enabled {
		return d.refuse(404, "no backend")
	}
	d.Target.Compress = serving.Compression != nil && serving.Compression.Enabled
	d.Target.Websocket = serving.WebsocketTCPConverter != nil && serving.WebsocketTCPConverter.Enabled
	served = d.backend(serving.Backend.ID, map[string]bool{})
	if p := edge.Policy; p != nil && p.Enabled && served {
		d.denied(edge.ID, p.Outbound) // its rules can only log
	}
	return true, served
}

func (d *decision) edge() *endpoint {
	exact := d.hosts[d.Protocol+" "+net.JoinHostPort(d.Host, d.Port)]
	wild := d.hosts[d.Protocol+" "+net.JoinHostPort(wildcard(d.Host), d.Port)]
	all := slices.Concat(exact, wild)
	if len(exact) > 1 {
		d.assume("the oldest of several edges has " + net.JoinHostPort(d.Host, d.Port) + ", although services refuse a second one")
	}
	if len(exact) > 0 && len(wild) > 0 && !d.assume("exact_host_first") {
		slices.SortFunc(all, older)
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

func (d *decision) route(edge string) *endpoint {
	var all []*endpoint // the best first
	for _, r := range d.routes[edge][d.Path] {
		if r.MatchType == "exact_path" {
			all = append(all, r)
		}
	}
	for end := len(d.Path); end > 0; end-- {
		for _, r := range d.routes[edge][d.Path[:end]] {
			if r.MatchType == "path_prefix" {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	if len(all) > 1 && !d.assume("longest_prefix") {
		slices.SortFunc(all, older)
	}
	return all[0]
}

// allowed reports whether IP policies allow the client: some rule allows it, and none
// denies it.
func (d *decision) allowed(policies []string) bool {
	var having []*ipRule
	for _, id := range policies {
		for _, rule := range d.rules[id] {
			if rule.addresses.Contains(d.Client) {
				having = append(having, rule)
			}
		}
	}
	slices.SortFunc(having, older)
	denies := func(r *ipRule) bool { return r.Action == "deny" }
	if len(having) == 0 {
		for _, id := range policies {
			d.stop(id, "does not allow %s", d.Client)
		}
		return false
	}
	deciding := having[0]
	if first := slices.IndexFunc(having, denies); first > 0 && d.assume("deny_wins") {
		deciding = having[first]
	}
	d.stop(deciding.ID, "says %s %s", deciding.Action, deciding.CIDR)
	return !denies(deciding)
}

// backend reports whether a backend answers, and sets its answer.
func (d *decision) backend(id string, seen map[string]bool) bool {
	switch b := d.others[id].(type) {
	case *Response:
		headers := fnv.New32a()
		for _, name := range slices.Sorted(maps.Keys(b.Headers)) {
			fmt.Fprintf(headers, "%s: %s\n", name, b.Headers[name])
		}
		fmt.Fprint(headers, b.Body)
		d.Answer = fmt.Sprintf("%d %s", b.StatusCode, excerpt(b.Body))
		if len(b.Headers) > 0 || len(b.Body) > maxExcerpt {
			d.Answer += fmt.Sprintf(" (%08x)", headers.Sum32())
		}
		d.Target.Status, d.Target.Response = 0, b
		d.stop(id, "answers")
		return true
	case *group:
		return d.group(id, b)
	case *failover:
		if seen[id] { // a cycle, or tried before
			return false
		}
		seen[id] = true
		d.stop(id, "tries its backends in order")
		for _, child := range b.Backends {
			if d.backend(child, seen) {
				return true
			}
		}
		if d.Answer == "" {
			d.refuse(502, "the failover backend is empty")
		}
		return false
	default:
		d.stop(id, "does not exist")
	}
	d.refuse(502, "the backend does not exist")
	return false
}

// group looks for the tunnels of a group.
func (d *decision) group(id string, b *group) bool {
	var open []string
	for _, tunnel := range d.Tunnels {
		if !containsAll(tunnel, b.Labels) {
			continue
		}
		if len(tunnel) == len(b.Labels) || d.assume("labels_contain") {
			open = append(open, LabelText(tunnel))
		}
	}
	slices.Sort(open)
	if open = slices.Compact(open); len(open) == 0 {
		d.stop(id, "has no tunnel")
		d.refuse(502, "no tunnel with "+cmp.Or(LabelText(b.Labels), "labels"))
		return false
	}
	d.Target.Status, d.Target.Tunnels = 0, open
	d.stop(id, "takes a tunnel")
	d.Answer = "tunnel " + strings.Join(open, " or ")
	return true
}

// containsAll reports whether a tunnel has all labels of a group. A group without labels
// takes none.
func containsAll(tunnel, wanted map[string]string) bool {
	for name, value := range wanted {
		if has, ok := tunnel[name]; !ok || has != value {
			return false
		}
	}
	return len(wanted) > 0
}

// LabelText returns labels as text, such as app=web,dc=fra.
func LabelText(labels map[string]string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		pairs = append(pairs, name+"="+labels[name])
	}
	return strings.Join(pairs, ",")
}

const maxExcerpt = 40

func excerpt(text string) string {
	if len(text) > maxExcerpt {
		text = strings.ToValidUTF8(text[:maxExcerpt], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
