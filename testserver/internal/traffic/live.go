package traffic

import (
	"cmp"
	"net"
	"strings"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Live is the account of a running server.
type Live struct {
	mutex   sync.RWMutex
	account *Account
}

// Watch follows a store until stop is called. After each change that can matter, it
// calls changed, which must not wait for the store.
func Watch(objects *store.Store, changed func()) (l *Live, stop func()) {
	l = &Live{account: NewAccount()}
	return l, objects.Watch(func(changes []store.Change) {
		l.mutex.Lock()
		made := l.account.Apply(changes)
		l.mutex.Unlock()
		if len(made) > 0 {
			changed()
		}
	})
}

// read returns what look finds in the account.
func read[T any](l *Live, look func(*Account) T) T {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	return look(l.account)
}

// Decide decides about a request. A request without a port gets that of the edge or
// tunnel that serves its host, because one listener stands for all ports.
func (l *Live) Decide(r *Request, w World) Decision {
	return read(l, func(a *Account) Decision {
		r.Port = cmp.Or(r.Port, a.portOf(*r, w.Bound), "443")
		return a.Decide(*r, w)
	})
}

// Serves reports whether an edge or a tunnel of the protocol serves the host of a
// request, on any port.
func (l *Live) Serves(r Request, bound Bound) bool {
	return read(l, func(a *Account) bool { return a.portOf(r, bound) != "" })
}

// portOf returns the port on which an edge or a tunnel serves the host of a request:
// 443, or another one. It is empty if none does.
func (a *Account) portOf(r Request, bound Bound) string {
	for _, host := range []string{r.Host, wildcard(r.Host)} {
		address := r.Protocol + " " + host + ":"
		if len(a.hosts[address+"443"]) > 0 || bound[address+"443"] {
			return "443"
		}
		for known := range a.hosts {
			if port, ok := strings.CutPrefix(known, address); ok {
				return port
			}
		}
	}
	return ""
}

// Reserved reports whether the account has a reserved address.
func (l *Live) Reserved(hostport string) bool {
	return read(l, func(a *Account) bool { return a.reserved[strings.ToLower(hostport)] })
}

// Bound returns the protocols and hostports of all edges.
func (l *Live) Bound() Bound {
	return read(l, func(a *Account) Bound {
		all := Bound{}
		for address := range a.hosts {
			all[address] = true
		}
		return all
	})
}

// Credential returns the id and the ACL of the SSH credential with a public key, in
// base64. The id is empty if there is none.
func (l *Live) Credential(key string) (id string, acl []string) {
	found := read(l, func(a *Account) *credential { return a.credentials[key] })
	if found == nil {
		return "", nil
	}
	return found.ID, found.ACL
}

// Bound has the protocols and hostports that tunnels have bound.
type Bound map[string]bool

// covering returns what serves a host: exactly, or by a wildcard.
func (b Bound) covering(protocol, host, port string) string {
	for _, host := range []string{host, wildcard(host)} {
		if name := protocol + " " + net.JoinHostPort(host, port); b[name] {
			return name
		}
	}
	return ""
}

// ACLLacks returns the rule that an ACL lacks to bind a domain, a host with a port, or
// a label, such as bind:www.example.com. It is empty if the ACL allows it. A rule
// allows only what has its own form.
func ACLLacks(acl []string, bind string) string {
	for _, rule := range acl {
		if rule == "*" || allowsBind(strings.TrimPrefix(rule, "bind:"), bind) {
			return ""
		}
	}
	if len(acl) == 0 {
		return ""
	}
	return "bind:" + bind
}

func allowsBind(target, bind string) bool {
	key, value, isLabel := strings.Cut(target, "=")
	askedKey, askedValue, asksLabel := strings.Cut(bind, "=")
	if isLabel || asksLabel {
		return isLabel && asksLabel && (key == "*" || key == askedKey) && (value == "*" || value == askedValue)
	}
	if suffix, ok := strings.CutPrefix(target, "*"); ok {
		return !strings.Contains(bind, ":") && strings.HasSuffix(strings.ToLower(bind), strings.ToLower(suffix))
	}
	return strings.EqualFold(target, bind)
}
