#!/bin/sh
# Writes everything that follows from a kind of object, after it or one of its attributes
# has changed: the paths of openapi.yaml, the golden schemas and state, the mocks, the
# examples and the docs. Usage: tools/update.sh KIND, such as ip_policy.
set -eu
unset TF_CLI_CONFIG_FILE
kind=${1:-}
case $kind in '' | *[!a-z0-9_]*) echo 'usage: make update KIND=ip_policy' >&2; exit 2 ;; esac
export GOGC=off GOMEMLIMIT=1GiB

go test -vet=off ./testserver -run '^(TestContract_collections|TestAPI)' -args -update
go test -vet=off ./internal/provider -run '^TestSchema_golden' -args -update
# The golden state is written again if the schema has changed, but never that of a
# release: users have such states.
if ! git diff --quiet -G "^resource tunnel_${kind}[. ]" -- internal/provider/testdata/schemas.txt; then
  release=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
  for state in internal/provider/testdata/state/tunnel_"$kind".v*.json; do
    if [ -f "$state" ] && { [ -z "$release" ] || ! git cat-file -e "$release:$state" 2>/dev/null; }; then
      rm "$state"
    fi
  done
fi
go test -vet=off ./internal/provider -run '^TestState' -args -update
make --no-print-directory generate >/dev/null
git status --short -- testserver/openapi.yaml testserver/testdata internal/provider/testdata examples docs
