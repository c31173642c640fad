#!/bin/sh
# Says what a pull request adds to what clients notice of its apply, and to what is left if
# the apply stops halfway or somebody else acts: in comment.md, and with exit code 1.
# It applies only to a copy of the account, and needs no API key.
# Usage, in the directory of the configuration: review.sh ACCOUNT BASE
# ACCOUNT is a file of tunnel-testserver clone, BASE the same directory in the target branch.
set -eu
account=$(realpath "$1")
base=$2
reports=$(mktemp -d)
result=0
(cd "$base" && terraform init -input=false)
: >comment.md

review() { # name, then flags
  name=$1
  shift
  # The changes that the target branch has not applied yet are the baseline: often none.
  code=0
  (cd "$base" && tunnel-testserver "$@" -account "$account" -format json -o "$reports/$name.json" -- terraform apply) || code=$?
  [ -s "$reports/$name.json" ] || exit "$code" # it could not be tried
  code=0
  tunnel-testserver "$@" -account "$account" -format markdown -baseline "$reports/$name.json" -o "$reports/$name.md" -- terraform apply || code=$?
  case $code in
  0 | 3) ;; # 3: the plan has no changes
  *) result=1 ;;
  esac
  [ -s "$reports/$name.md" ] || exit "$code"
  cat "$reports/$name.md" >>comment.md
  echo >>comment.md
}

review traffic traffic
review explore explore -only answer-lost -only kill
review actors explore -actors -only delete -only edit-other -only second-apply
exit "$result"
