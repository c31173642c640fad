package variation

import "slices"

// The names of the quirks. In the comments, "else" is what a server does without the
// quirk.
const (
	OldestFirst      = "list_oldest_first"        // else newest first
	SmallPages       = "list_small_pages"         // at most PageSize objects per page
	BackendsKept     = "backends_kept"            // a failover PATCH without backends keeps them; else it clears them
	UnsetNull        = "unset_module_null"        // GET of a module that is not set is 200 with null; else 404
	UnsetObject      = "unset_module_object"      // GET of a module that is not set is 200 with {}; else 404
	UnsetDelete404   = "unset_module_delete_404"  // DELETE of a module that is not set is 404; else 204
	Forbidden        = "forbidden_403"            // 403 replaces 401
	NoRetryAfter     = "no_retry_after"           // a 429 of a limit has no Retry-After
	EmptyBody        = "empty_body_accepted"      // a PUT or PATCH without a body is as {}; else 400
	RouteDescription = "route_description_clears" // a PATCH of a route without description removes it
	LabelsNull       = "patch_labels_null"        // the response to a PATCH of a tunnel group backend without labels has null there
	KeyAsSent        = "credential_key_as_sent"   // a key in PEM is returned as sent; else as one line
	DenyConfig       = "deny_config_refused"      // a deny action with a config is refused; else accepted
	SecretsMasked    = "secrets_masked"           // secrets of an event destination are masked or empty; else absent

	NeverSetEmpty   = "never_set_empty"   // a text that was never set is ""; else absent
	EmptyAbsent     = "empty_absent"      // a text that was cleared is absent; else ""
	EmptyListAbsent = "empty_list_absent" // else []
	EmptyListNull   = "empty_list_null"   // else []
	ACLSwapped      = "acl_swapped"       // no restrictions, [] or *, in the other form
	TunnelsVary     = "tunnels_vary"      // entries of tunnels in other forms
	TimesVary       = "times_vary"        // the same instant with other offsets and fractions
	KeyNewline      = "key_newline_vary"  // keys and PEM with or without a newline at the end
	SetsShuffled    = "sets_shuffled"     // sets in another order
	UnknownFields   = "unknown_fields"    // undocumented fields in responses
	ErrorCodeAbsent = "error_code_absent" // errors without error_code
	DetailsAbsent   = "error_details_absent"
	DetailsNull     = "error_details_null"
)

// QuirkNames returns the names of all quirks.
func QuirkNames() []string {
	return slices.Clone(quirkNames)
}

var quirkNames = []string{
	OldestFirst, SmallPages, BackendsKept, UnsetNull, UnsetObject, UnsetDelete404, Forbidden, NoRetryAfter, EmptyBody,
	RouteDescription, LabelsNull, KeyAsSent, DenyConfig, SecretsMasked, NeverSetEmpty, EmptyAbsent, EmptyListAbsent, EmptyListNull, ACLSwapped,
	TunnelsVary, TimesVary, KeyNewline, SetsShuffled, UnknownFields, ErrorCodeAbsent, DetailsAbsent, DetailsNull,
}
