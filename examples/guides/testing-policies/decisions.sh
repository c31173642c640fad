#!/bin/sh
# Prints the decisions that a saved plan changes, one on each line, such as
# "office on admin: allow to deny". Usage: sh decisions.sh PLANFILE
set -eu
terraform show -json "$1" | jq -r '
  .output_changes.decisions // {}
  | (.before // {}) as $before
  | (.after // {}) as $after
  | (.after_unknown | if type == "object" then . else {} end) as $unknown
  | $before + $after + $unknown | keys[]
  | ($before[.] // "new") as $was
  | (if $unknown[.] then "known after apply" else $after[.] // "removed" end) as $is
  | select($was != $is)
  | "\(.): \($was) to \($is)"'
