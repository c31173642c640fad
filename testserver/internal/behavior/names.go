package behavior

import (
	"net/http"
	"net/netip"
	"net/textproto"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// definition is what a behavior does. What a choice does stands where the server
// chooses.
type definition struct {
	name  string
	value value
	says  string // one sentence

	serve     func(*hit, http.ResponseWriter, *engine.Call) // of failures
	only      func(*engine.Call) bool                       // reports whether it can apply to a request; nil means all
	status    int                                           // of an error
	processed bool                                          // a broken response or an error: the request is processed

	traffic bool // about connections and events, and not about requests

	varies bool // a choice that seed=N makes for about half of the responses
	strict bool // a choice that refuses what others accept, so that seed=N does not make it

	types  []string                               // schemas in openapi.yaml whose values change; nil means all optional fields
	change func(value any, in map[string]any) any // of a value in the object in; value can be missing
	patch  func(members map[string]any) []byte    // returns the body of the response to a PATCH
}

// failures answer late, wrongly or not at all. Only the first one hits a request.
var failures = []definition{
	{name: "delay", value: delays, says: "The request is processed late, after a random time if there are two; the only failure that others can follow."},
	{name: "hold", serve: (*hit).hold, says: "The request waits until it is released, and is then processed, even if the client gives up."},
	{name: "bandwidth", value: rate, processed: true, serve: (*hit).slow, says: "The request is processed, and so many bytes of the body arrive in each period."},

	{name: "error", status: 400, value: errorStatus, serve: (*hit).fail, says: "An error with this status, not processed. Rules can set its code and message."},
	{name: "404", status: 404, serve: (*hit).fail, says: "404, as if the path did not exist."},
	{name: "429", status: 429, value: retryAfter, serve: (*hit).fail, says: "429, with a Retry-After of one second or another one."},
	{name: "500", status: 500, value: retryAfter, serve: (*hit).fail, says: "500, not processed."},
	{name: "503", status: 503, value: retryAfter, serve: (*hit).fail, says: "503, not processed."},
	{name: "503_after", status: 503, value: retryAfter, processed: true, serve: (*hit).fail, says: "503, although the request is processed."},

	{name: "reset_before", serve: (*hit).resetBefore, says: "The connection is reset (TCP RST; over HTTP/2, the stream), and the request is not processed."},
	{name: "reset_after", serve: (*hit).resetAfter, says: "The request is processed, and the connection is reset before the response."},
	{name: "truncate", processed: true, serve: (*hit).truncate, says: "The request is processed, and the connection closes in the middle of the body."},
	{name: "truncate_before", serve: (*hit).truncate, says: "A 502 that ends in the middle of the body, and the request is not processed."},
	{name: "html", value: status, processed: true, serve: (*hit).html, says: "The request is processed, and a proxy answers with an HTML page."},
	{name: "html_before", value: status, serve: (*hit).html, says: "A proxy answers with an HTML page, by default a 502, and the request is not processed."},
	{name: "empty", value: status, processed: true, serve: (*hit).empty, says: "The request is processed, and the response has no body."},
	{name: "empty_before", value: status, serve: (*hit).empty, says: "A response without a body, by default a 502, and the request is not processed."},

	{name: "lag", value: duration, only: onRead, serve: (*hit).lag, says: "A GET shows the state of this long ago, as a replica does that lags."},
}

// limitations refuse requests that are too many.
var limitations = []definition{
	{name: "rate_limit", value: rate, says: "At most so many requests within any period of this length; others get 429."},
	{name: "max_concurrent", value: number, says: "At most so many requests at the same time; others get 429."},
}

// choices are other decisions where the documentation of the API is silent.
var choices = []definition{
	{name: "list_oldest_first", says: "Lists begin with the oldest object instead of the newest."},
	{name: "list_small_pages", says: "A page of a list has at most 3 objects instead of 100."},
	{name: "backends_kept", says: "A PATCH of a failover backend that omits backends keeps them instead of clearing them."},
	{name: "unset_module_null", varies: true, says: "GET of a module that is not set is 200 with null instead of 404."},
	{name: "unset_module_delete_404", says: "DELETE of a module that is not set is 404 instead of 204."},
	{name: "forbidden_403", says: "403 replaces 401."},
	{name: "no_retry_after", says: "A 429 of a limit has no Retry-After."},
	{name: "secrets_masked", says: "Secrets of an event destination are masked or empty instead of absent."},
	{name: "require_reserved", strict: true, says: "Edges accept only reserved domains (with port 443) and reserved addresses in hostports, each on one edge."},
	{name: "unique_hostports", strict: true, says: "A hostport belongs to one edge: another edge with it is refused."},
	{name: "never_set_empty", varies: true, says: `A text that was never set is "" instead of absent.`},
	{name: "empty_absent", varies: true, says: `A text that was cleared is absent instead of "".`},
	{name: "empty_list_absent", varies: true, says: "An empty list is absent instead of []."},
	{name: "empty_list_null", varies: true, says: "An empty list is null instead of []."},
	{name: "acl_swapped", varies: true, says: "An ACL without restrictions, [] or with *, has the other form."},
	{name: "times_vary", says: "Times have other offsets and fractions, and mean the same instant."},
	{name: "sets_shuffled", says: "Sets, such as acl and principals, have another order in each response."},
	{name: "unknown_fields", says: "Responses have fields that are not documented."},
}

// Groups of schemas for the values.
var (
	freeTexts   = []string{"Description", "Metadata", "Body", "RuleName"}
	pemTexts    = []string{"SSHPublicKey", "SSHCertificate", "CertificateChain"}
	ipLists     = []string{"Acl", "Principals", "Hostports", "CertificateNames"}
	times       = []string{"Timestamp", "CreatedAt", "Expiry"}
	informative = []string{
		"Uri", "CreatedAt", "KeyType", "CertificateText", "CertificateNames", "CertificateUsages", "TLSCertificateSANs", "CertificateStatus",
		"HostText",
	}
)

// values are changed in all responses, as if the service had stored the changed value.
// A field of openapi.yaml is covered by the schema that it refers to.
var values = []definition{
	{name: "text_trimmed", types: freeTexts, change: text(strings.TrimSpace), says: "Texts lose white space at both ends."},
	{name: "newline_added", types: slices.Concat(freeTexts, pemTexts), change: text(withNewline), says: "Texts, keys and PEM end with a newline."},
	{name: "description_generated", types: []string{"Description"}, change: generated("Created by the service"), says: "The service writes a description where none was given."},

	{name: "acl_lower", types: []string{"Acl"}, change: each(aclCase(strings.ToLower)), says: "Hosts in ACLs are in lower case."},
	{name: "acl_upper", types: []string{"Acl"}, change: each(aclCase(strings.ToUpper)), says: "Hosts in ACLs are in upper case."},
	{name: "principals_lower", types: []string{"Principals"}, change: each(strings.ToLower), says: "Principals are in lower case."},
	{name: "hostports_lower", types: []string{"Hostports"}, change: each(strings.ToLower), says: "Hostports are in lower case."},
	{name: "hostports_upper", types: []string{"Hostports"}, change: each(strings.ToUpper), says: "Hostports are in upper case."},
	{name: "domain_upper", types: []string{"Domain"}, change: text(strings.ToUpper), says: "Reserved domains are in upper case."},
	{name: "domain_dot", types: []string{"Domain"}, change: text(func(s string) string { return strings.TrimSuffix(s, ".") + "." }), says: "Reserved domains end with a dot."},
	{name: "cidr_masked", types: []string{"IPRange"}, change: text(masked), says: "Ranges of addresses have no bits of the host."},
	{name: "labels_lower", types: []string{"Labels"}, change: pairs(strings.ToLower, strings.ToLower), says: "Labels are in lower case."},
	{name: "header_names_canonical", types: []string{"Headers"}, change: pairs(textproto.CanonicalMIMEHeaderKey, same), says: "Header names are written as Content-Type."},
	{name: "ipv6_expanded", types: ipLists, change: each(ipv6(netip.Addr.StringExpanded)), says: "IPv6 addresses have all digits."},
	{name: "ipv6_compressed", types: ipLists, change: each(ipv6(netip.Addr.String)), says: "IPv6 addresses are as short as possible."},

	{name: "cel_formatted", types: []string{"Expressions"}, change: each(formatted), says: `Expressions have single spaces, " instead of ', and parentheses.`},

	{name: "valid_until_capped", types: []string{"Expiry"}, change: capped, says: "valid_until is at most 90 days after valid_after."},
	{name: "times_milliseconds", types: times, change: text(withMilliseconds), says: "Times have 482 milliseconds that the client did not send."},

	{name: "informative_number", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, 7) }, says: "Fields that only inform, such as uri and created_at, are numbers."},
	{name: "informative_null", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, nil) }, says: "Fields that only inform are null."},
	{name: "null_where_absent", change: nullIfMissing, says: "Optional fields are null instead of absent."},

	{name: "patch_keeps_empty", says: `A PATCH ignores "" and [].`},
	{name: "patch_part_id", patch: func(members map[string]any) []byte { return body.Marshal(identity(members)) }, says: "A PATCH answers with id, type and uri only."},
	{name: "patch_empty", patch: func(map[string]any) []byte { return nil }, says: "A PATCH answers without a body."},
}

// off is the value of an assumption that does not hold.
var off = value{shown: "=off", parse: func(text string) (argument, bool) { return argument{}, text == "off" }}

// assumptions are what a data plane is assumed to do, and what else it does. They
// change no response.
var assumptions = []definition{
	{name: "exact_host_first", value: off, says: "An exact host comes before a wildcard. Off: the oldest edge serves a host, exactly or by a wildcard."},
	{name: "longest_prefix", value: off, says: "The exact path serves a request, and then the longest prefix. Off: the oldest route that matches."},
	{name: "deny_wins", value: off, says: "An address that any rule of the IP policies denies is refused. Off: the oldest rule that has the address decides."},
	{name: "labels_contain", value: off, says: "A tunnel group takes tunnels that have all its labels. Off: those that have exactly its labels."},
	{name: "cel_error_is_false", value: off, says: "A rule of a policy does not apply if its expression fails. Off: it applies."},
	{name: "credential_closes_tunnels", value: off, says: "Tunnels close if their SSH credential is deleted or its ACL does not allow them any more. Off: they stay."},
	{name: "event_lost", says: "Events are not delivered."},
	{name: "event_late", says: "Events are delivered two seconds late."},
	{name: "event_twice", says: "Events are delivered twice."},
}
