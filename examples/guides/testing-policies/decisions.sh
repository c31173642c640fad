#!/bin/sh
# Prints the decisions that a saved plan changes, one on each line, such as
# "office on admin: allow to deny". Usage: sh decisions.sh PLANFILE
set -eu

stop() {
  echo "decisions.sh: $1" >&2
  exit 1
}
for program in jq terraform; do
  command -v "$program" >/dev/null || stop "$program is not installed"
done
[ -f "${1:-}" ] || stop "usage: sh decisions.sh PLANFILE"
plan=$(terraform show -json "$1") || stop "terraform cannot read the plan"
changes=$(printf '%s\n' "$plan" | jq -ser '
  if length != 1 then error("expected one plan") else .[0] end
  | if (.format_version | startswith("1.") | not) or (has("planned_values") | not) or .errored
    then error("not a complete plan in a format that this script knows") else .output_changes.decisions end
  | if . == null then error("the configuration has no output decisions") else . end
  | (.before // {}) as $before
  | (.after // {}) as $after
  | (if .after_unknown == true then {"the output decisions": true} else .after_unknown // {} end) as $unknown
  | [$before + $after + $unknown | keys[]
    | ($before[.] // "new") as $was
    | (if $unknown[.] then "known after apply" else $after[.] // "removed" end) as $is
    | select($was != $is)
    | "\(.): \($was) to \($is)" | gsub("[[:cntrl:]]"; " ")]
  | join("\n")') || stop "no decisions in the plan"
[ -z "$changes" ] || printf '%s\n' "$changes"
