# The decision of gate.sh for platforms that run policies of OPA, and for conftest:
# conftest test --policy gate.rego plan.json. Needs the syntax of OPA 1.
#
# To approve changes, give the data {"approved": [...]} with their addresses, or
# {"approved": true} to approve all.
package main

# Objects that a plan must not delete or replace without approval.
objects := {
	"tunnel_tls_certificate", "tunnel_ssh_host_certificate", "tunnel_ssh_certificate_authority",
	"tunnel_reserved_domain", "tunnel_reserved_address",
	"tunnel_tls_edge", "tunnel_tcp_edge", "tunnel_https_edge", "tunnel_https_edge_route",
}

# Objects whose changes must not let more people in without approval. Remove those that
# need no approval.
access := (policies | restrictions) | {"tunnel_ssh_credential", "tunnel_api_key", "tunnel_bot_user", "tunnel_ip_policy_rule"}

policies := {"tunnel_tls_edge_policy", "tunnel_tcp_edge_policy"}

restrictions := {
	"tunnel_tls_edge_ip_restriction", "tunnel_tcp_edge_ip_restriction",
	"tunnel_https_edge_route_ip_restriction",
}

# HCP Terraform gives the plan beside the run.
plan := object.get(input, "plan", input)

deny contains regex.replace(sprintf("%s: %s", [address, reason]), `[[:cntrl:]]`, " ") if {
	some address, reasons in stopped
	not approved(address)
	some reason in reasons
}

deny contains "not a complete plan in a format that this policy knows" if not complete

approved(_) if data.approved == true

approved(address) if address in data.approved

complete if {
	startswith(plan.format_version, "1.")
	is_object(plan.planned_values)
	object.get(plan, "errored", false) == false
	resource_changes := object.get(plan, "resource_changes", [])
	is_array(resource_changes)
	every change in resource_changes {
		object.get(change.change, "after_unknown", {}) != true
		every action in change.change.actions {
			action in {"no-op", "create", "read", "update", "delete", "forget"}
		}
	}
}

# The changes, with {} for what does not exist and for what is known. What exists is {} too
# if nothing of it is known.
changes contains {
	"address": change.address,
	"type": change.type,
	"actions": change.change.actions,
	"new": get(change.change, "before") == null,
	"gone": get(change.change, "after") == null,
	"before": some_object(get(change.change, "before")),
	"after": some_object(get(change.change, "after")),
	"unknown": some_object(get(change.change, "after_unknown")),
	"owned": concat(".", [change.type, change.name]) in owned,
} if {
	some change in plan.resource_changes
}

some_object(value) := value if is_object(value)

some_object(value) := {} if not is_object(value)

# Resources whose configuration sets an owner.
owned contains concat(".", [resource.type, resource.name]) if {
	walk(plan.configuration, [_, resource])
	resource.type in {"tunnel_ssh_credential", "tunnel_api_key"}
	resource.expressions.owner_id
}

stopped[change.address] contains "it is deleted or replaced" if {
	some change in changes
	change.type in objects
	"delete" in change.actions
	not renews(change)
}

# Reports whether a certificate is only renewed: the new one is created first, for the same
# names and key. Whether clients trust the new chain of a TLS certificate is not known.
renews(change) if {
	change.type == "tunnel_tls_certificate"
	change.actions == ["create", "delete"]
	names := change.before.subject_alternative_names
	count(names.dns_names) + count(names.ips) > 0
	change.after.not_after > change.before.not_after
	every name in ["subject_alternative_names", "description", "metadata"] {
		get(change.before, name) == get(change.after, name)
	}
}

renews(change) if {
	change.type == "tunnel_ssh_host_certificate"
	change.actions == ["create", "delete"]
	set_by_service := ["certificate", "created_at", "id", "ready_for_renewal", "uri", "valid_after", "valid_until"]
	object.remove(change.before, set_by_service) == change.after
}

# Changes of who gets in.
accesses contains change if {
	some change in changes
	change.type in access
	not change.actions in {["no-op"], ["read"], ["forget"]}
}

stopped[change.address] contains "its API keys work again" if {
	some change in accesses
	change.type == "tunnel_bot_user"
	get(change.before, "active") == false
	not change.gone
	get(change.after, "active") != false
}

stopped[change.address] contains "it is a new API key" if {
	some change in accesses
	change.type == "tunnel_api_key"
	change.new
}

stopped[change.address] contains sprintf("its %s changes", [name]) if {
	some change in accesses
	change.type == "tunnel_api_key"
	not change.new
	not change.gone
	some name in ["token_recipient", "store_token"]
	changes_or_unknown(change, name)
}

changes_or_unknown(change, name) if get(change.before, name) != get(change.after, name)

changes_or_unknown(change, name) if change.unknown[name]

stopped[change.address] contains reason if {
	some change in accesses
	has_owner(change)
	reason := another_owner(change)
}

has_owner(change) if {
	change.type == "tunnel_ssh_credential"
	not change.gone
}

has_owner(change) if {
	change.type == "tunnel_api_key"
	not change.new
	not change.gone
}

another_owner(change) := "it may be for another owner" if {
	get(change.after, "owner_id") == null
	owner_may_change(change)
}

another_owner(change) := sprintf("it is for the owner %s", [owner]) if {
	owner := get(change.after, "owner_id")
	owner != null
	owner != get(change.before, "owner_id")
}

owner_may_change(change) if get(change.before, "owner_id") != null

owner_may_change(change) if {
	change.owned
	change.unknown.owner_id
}

stopped[change.address] contains "it is a new SSH credential" if {
	some change in accesses
	change.type == "tunnel_ssh_credential"
	change.new
}

stopped[change.address] contains "its public_key changes" if {
	some change in accesses
	change.type == "tunnel_ssh_credential"
	not change.new
	not change.gone
	get(change.before, "public_key") != get(change.after, "public_key")
}

# New credentials, and those that had restrictions.
restricted contains change if {
	some change in accesses
	change.type == "tunnel_ssh_credential"
	not change.gone
	not was_open(change)
}

was_open(change) if {
	not change.new
	open(change.before)
}

open(credential) if get(credential, "acl") in {null, []}

open(credential) if {
	some rule in credential.acl
	rule == "*" # bind:* is for names only, and bind:*=* for labels
}

may_open(change) if open(change.after)

may_open(change) if walk(change.unknown.acl, [_, true])

stopped[change.address] contains "it has or may have no restrictions" if {
	some change in restricted
	may_open(change)
}

stopped[change.address] contains sprintf("its acl has the new rule %s", [rule]) if {
	some change in restricted
	not may_open(change)
	some rule in change.after.acl
	not rule in object.get(change.before, "acl", change.after.acl)
}

stopped[change.address] contains sprintf("it no longer denies %v", [get(change.before, "cidr")]) if {
	some change in accesses
	change.type == "tunnel_ip_policy_rule"
	change.gone
	get(change.before, "action") != "allow"
}

stopped[change.address] contains sprintf("it may allow %s", [object.get(change.after, "cidr", "(known after apply)")]) if {
	some change in accesses
	change.type == "tunnel_ip_policy_rule"
	change.new
	get(change.after, "action") != "deny"
}

stopped[change.address] contains "it changes" if {
	some change in accesses
	change.type == "tunnel_ip_policy_rule"
	not change.new
	not change.gone
	some name in ["action", "cidr", "ip_policy_id"]
	get(change.before, name) != get(change.after, name)
}

# IP restrictions that keep somebody out today.
stopped[change.address] contains reason if {
	some change in accesses
	change.type in restrictions
	not change.new
	get(change.before, "enabled") != false
	reason := restriction(change)
}

restriction(change) := "it is removed" if {
	removed(change)
} else := "it is or may be disabled" if {
	may_be_disabled(change.after, change.unknown)
} else := "its IP policies change" if {
	get(change.before, "ip_policy_ids") != get(change.after, "ip_policy_ids")
}

removed(change) if change.gone

removed(change) if "delete" in change.actions

may_be_disabled(after, _) if get(after, "enabled") == false

may_be_disabled(_, unknown) if unknown.enabled == true

# Changes of policies. A replacement is a deletion and a creation.
policy_changes contains object.union(object.remove(change, ["after", "gone", "unknown"]), {"after": {}, "gone": true, "unknown": {}}) if {
	some change in accesses
	change.type in policies
	"delete" in change.actions
}

policy_changes contains object.union(object.remove(change, ["before", "new"]), {"before": {}, "new": true}) if {
	some change in accesses
	change.type in policies
	"delete" in change.actions
	"create" in change.actions
}

policy_changes contains change if {
	some change in accesses
	change.type in policies
	not "delete" in change.actions
}

stopped[change.address] contains reason if {
	some change in policy_changes
	rules(change.before, {}) != []
	reason := ends(change)
}

ends(change) := "its rules are removed" if {
	change.gone
} else := "it is or may be disabled" if {
	may_be_disabled(change.after, change.unknown)
}

stopped[change.address] contains sprintf("the rule %v is removed, or may deny less", [rule_name(rule)]) if {
	some change in policy_changes
	not ends(change)
	new := rules(change.after, change.unknown)
	some rule in rules(change.before, {})
	not kept(rule, new)
}

stopped[change.address] contains sprintf("its rules change, and the action %s may let people in", [action_type(action)]) if {
	some change in policy_changes
	not change.gone
	old := rules(change.before, {})
	not disabled(change, old)
	new := rules(change.after, change.unknown)
	differ(old, new, change.unknown)
	some rule in new
	some action in rule.actions
	not action.type in {"deny", "restrict-ips"}
}

rule_name(rule) := rule.name if {
	is_string(rule.name)
} else := get(rule, "expressions")

action_type(action) := action.type if {
	is_string(action.type)
} else := "(known after apply)"

disabled(change, old) if {
	old != []
	may_be_disabled(change.after, change.unknown)
}

differ(old, new, _) if old != new

differ(_, _, unknown) if walk([get(unknown, "inbound"), get(unknown, "outbound")], [_, true])

# The rules of a policy that decide about connections, with their phase. Unknown values are
# null: unknown rules or actions are one action of an unknown type, and an unknown config
# equals no other.
rules(policy, unknown) := [rule |
	get(policy, "enabled") != false
	some phase in ["inbound", "outbound"]
	some i, given in given_rules(policy, unknown, phase)
	actions := [decided |
		some j, action in list(get(given, "actions"), [{}])
		path := [phase, i, "actions", j, "config"]
		known := {"type": get(action, "type"), "config": config(action, unknown, path)}
		decided := object.union(object.remove(action, ["config"]), known)
		decided.type != "log"
	]
	actions != []
	rule := object.union(object.remove(given, ["actions"]), {"phase": phase, "actions": actions})
]

given_rules(_, unknown, phase) := [{}] if unknown[phase] == true

given_rules(policy, unknown, phase) := list(get(policy, phase), []) if get(unknown, phase) != true

config(_, unknown, path) := {"unknown": true} if object.get(unknown, path, false) == true

config(action, unknown, path) := json.unmarshal(action.config) if {
	object.get(unknown, path, false) != true
	json.is_valid(action.config)
} else := get(action, "config") if {
	object.get(unknown, path, false) != true
}

# Reports whether a new rule denies every connection that an older one denies.
kept(old, new) if {
	some rule in new
	rule.phase == old.phase
	rule.expressions in [[], get(old, "expressions")]
	every action in old.actions {
		some other in rule.actions
		covers(other, action)
	}
}

covers(new, old) if new == old

covers(new, old) if {
	new.type == "deny"
	old.type in {"deny", "restrict-ips"}
}

covers(new, old) if {
	new.type == "restrict-ips"
	old.type == "restrict-ips"
	is_object(new.config)
	is_object(old.config)
	object.remove(new.config, ["allow", "deny"]) == object.remove(old.config, ["allow", "deny"])
	fewer(get(new.config, "allow"), get(old.config, "allow"))
	every range in list(get(old.config, "deny"), []) {
		range in list(get(new.config, "deny"), [])
	}
}

# Reports whether a list of the only ranges that are allowed lets no more in than another.
fewer(new, old) if new == old

fewer(new, old) if {
	is_array(new)
	is_array(old)
	count(new) > 0
	count(old) > 0
	every range in new {
		range in old
	}
}

list(value, _) := value if is_array(value)

list(null, missing) := missing

get(object_, name) := object.get(object_, name, null)
