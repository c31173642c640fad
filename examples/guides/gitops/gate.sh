#!/bin/sh
# Fails if a saved plan deletes or replaces an object of the list below, or may let more
# people in. A renewed certificate for the same names passes. Usage: sh gate.sh PLANFILE
#
# To approve changes, set APPROVE_CHANGES to their addresses, one on each line, or to
# true to approve all.
set -eu

# Objects that a plan must not delete or replace without approval.
objects='tunnel_tls_certificate tunnel_ssh_host_certificate tunnel_ssh_certificate_authority
tunnel_reserved_domain tunnel_reserved_address
tunnel_tls_edge tunnel_tcp_edge tunnel_https_edge tunnel_https_edge_route'
# Objects whose changes must not let more people in without approval. Remove those that
# need no approval.
access='tunnel_tls_edge_policy tunnel_tcp_edge_policy tunnel_ssh_credential tunnel_api_key tunnel_bot_user tunnel_ip_policy_rule
tunnel_tls_edge_ip_restriction tunnel_tcp_edge_ip_restriction tunnel_https_edge_route_ip_restriction'

stop() {
  echo "gate.sh: $1" >&2
  exit 1
}
for program in jq terraform; do
  command -v "$program" >/dev/null || stop "$program is not installed"
done
[ -f "${1:-}" ] || stop "${1:+there is no plan file $1; }usage: sh gate.sh PLANFILE"
plan=$(terraform show -json "$1") || stop "terraform cannot read the plan"
found=$(printf '%s\n' "$plan" | jq -ser --arg objects "$objects" --arg access "$access" --arg approved "${APPROVE_CHANGES:-}" '
  def words: [splits("\\s+")];

  # The rules of a policy that decide about connections, with their phase. Unknown values
  # are null: unknown rules or actions are one action of an unknown type, and an unknown
  # config equals no other.
  def rules($unknown): if . == null or .enabled == false then [] else [("inbound", "outbound") as $phase
      | if $unknown[$phase] == true then {} else .[$phase] // [] | to_entries[] | .key as $i | .value
        | .actions |= (select(. != null) | to_entries | map(.key as $j | .value
          + if ($unknown | try getpath([$phase, $i, "actions", $j, "config"]) catch null) == true then {config: {"unknown": true}} else {} end))
        end | . + {phase: $phase}] end
    | map(.actions = [.actions // [{}] | .[] | .config = (.config | if type == "string" then fromjson else . end) | select(.type != "log")])
    | map(select(.actions != []));
  # Reports whether an action denies every connection that an older action denies.
  def covers($old):
    if .type == "deny" then $old.type == "deny" or $old.type == "restrict-ips"
    else . == $old or (.type == "restrict-ips" and $old.type == "restrict-ips"
      and (.config | type) == "object" and ($old.config | type) == "object"
      and (.config | del(.allow, .deny)) == ($old.config | del(.allow, .deny))
      and (.config.allow == $old.config.allow
        or ((.config.allow // []) != [] and ($old.config.allow // []) != [] and .config.allow - $old.config.allow == []))
      and ($old.config.deny // []) - (.config.deny // []) == [])
    end;
  # Reports whether a certificate is only renewed: the new one is created first, for the same
  # names and key. Whether clients trust the new chain of a TLS certificate is not known.
  def renews($type): .actions == ["create", "delete"]
    and if $type == "tunnel_tls_certificate" then
        (.before.subject_alternative_names | .dns_names + .ips // []) != [] and .after.not_after > .before.not_after
        and ([.before, .after] | map({subject_alternative_names, description, metadata}) | .[0] == .[1])
      else $type == "tunnel_ssh_host_certificate"
        and (.before | del(.certificate, .created_at, .id, .ready_for_renewal, .uri, .valid_after, .valid_until)) == .after
      end;
  def open: . == null or . == [] or any(. == "*"); # bind:* is for names only, and bind:*=* for labels
  def partly: . == true or (type == "array" or type == "object") and any(.[]; partly);

  def policy($before; $after; $unknown):
    ($before | rules({})) as $old | ($after | rules($unknown)) as $new
    | if $old != [] and $after == null then "its rules are removed"
      elif $old != [] and ($after.enabled == false or $unknown.enabled) then "it is or may be disabled"
      else
        ($old[] as $rule | select(any($new[]; . as $other
            | $other.phase == $rule.phase and ($other.expressions == [] or $other.expressions == $rule.expressions)
            and all($rule.actions[]; . as $action | any($other.actions[]; covers($action)))) | not)
          | "the rule \($rule.name // $rule.expressions) is removed, or may deny less"),
        (select($old != $new or ([$unknown.inbound, $unknown.outbound] | partly)) | [$new[].actions[].type | select(. != "deny" and . != "restrict-ips") | . // "(known after apply)"] | unique[]
          | "its rules change, and the action \(.) may let people in")
      end;
  def address_rule($before; $after):
    if $after == null then select($before.action != "allow") | "it no longer denies \($before.cidr)"
    elif $before == null then select($after.action != "deny") | "it may allow \($after.cidr // "(known after apply)")"
    else select(($before | {action, cidr, ip_policy_id}) != ($after | {action, cidr, ip_policy_id})) | "it changes" end;
  def restriction($before; $after; $unknown):
    if $before == null or $before.enabled == false then empty
    elif $after == null then "it is removed"
    elif $after.enabled == false or $unknown.enabled then "it is or may be disabled"
    else select($before.ip_policy_ids != $after.ip_policy_ids) | "its IP policies change" end;
  # $owned reports whether the configuration sets an owner.
  def owner($before; $after; $unknown; $owned):
    if $after.owner_id == null then select(($owned and $unknown.owner_id) or $before.owner_id != null) | "it may be for another owner"
    else select($after.owner_id != $before.owner_id) | "it is for the owner \($after.owner_id)" end;
  def credential($before; $after; $unknown; $owned):
    if $after == null then empty else
      if $before == null then "it is a new SSH credential"
      elif $before.public_key != $after.public_key then "its public_key changes" else empty end,
      if ($before.acl | open) and $before != null then empty
      elif ($unknown.acl | partly) or ($after.acl | open) then "it has or may have no restrictions"
      else (($after.acl - ($before.acl // $after.acl))[] | "its acl has the new rule \(.)") end,
      owner($before; $after; $unknown; $owned)
    end;
  def key($before; $after; $unknown; $owned):
    if $after == null then empty
    elif $before == null then "it is a new API key"
    else owner($before; $after; $unknown; $owned), (("token_recipient", "store_token") as $name
      | select($before[$name] != $after[$name] or $unknown[$name]) | "its \($name) changes") end;

  if length != 1 then error("expected one plan") else .[0] end
  | if (.format_version | startswith("1.") | not) or (has("planned_values") | not) or .errored
    then error("not a complete plan in a format that this script knows") else . end
  | if any(.resource_changes // [] | .[].change.actions[]; IN("no-op", "create", "read", "update", "delete", "forget") | not)
    then error("an action is unknown") else . end
  | [.configuration | .. | objects | select(.type? | IN("tunnel_ssh_credential", "tunnel_api_key")) | select(.expressions.owner_id?) | "\(.type).\(.name)"] as $owned
  | [.resource_changes // [] | .[] | . as $change | .change
    | (.after_unknown | if . == true then error("a resource is unknown") elif type == "object" then . else {} end) as $unknown
    | ("\($change.type).\($change.name)" | IN($owned[])) as $owned
    | [ (select($change.type | IN($objects | words[])) | select((.actions | index("delete")) and (renews($change.type) | not)) | "it is deleted or replaced"),
        (select($change.type | IN($access | words[])) | select(.actions | . != ["no-op"] and . != ["read"] and . != ["forget"])
          | if $change.type == "tunnel_api_key" then key(.before; .after; $unknown; $owned)
            elif $change.type == "tunnel_bot_user" then select(.before.active == false and .after != null and .after.active != false) | "its API keys work again"
            elif $change.type == "tunnel_ssh_credential" then credential(.before; .after; $unknown; $owned)
            elif $change.type == "tunnel_ip_policy_rule" then address_rule(.before; .after)
            elif $change.type | endswith("_ip_restriction") then restriction(.before; (if .actions | index("delete") then null else .after end); $unknown)
            elif .actions | index("delete") then policy(.before; null; {}), (select(.actions | index("create")) | policy(null; .after; $unknown))
            else policy(.before; .after; $unknown) end) ][]
    | select($approved != "true" and ($change.address | IN($approved | splits("\n") | gsub("^\\s+|\\s+$"; "")) | not))
    | "\($change.address): \(.)" | gsub("[[:cntrl:]]"; " ")]
  | join("\n")') || stop "jq cannot read the plan"
if [ -n "$found" ]; then
  echo "These changes need approval:" >&2
  printf '%s\n' "$found" >&2
  exit 1
fi
