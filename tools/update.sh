#!/bin/sh
# Writes everything that follows from a kind of object, after it or one of its attributes
# has changed: the paths of openapi.yaml, the golden state, the mocks, the examples and
# the docs. Usage: tools/update.sh KIND, such as ip_policy.
set -eu
unset TF_CLI_CONFIG_FILE
kind=${1:-}
case $kind in '' | *[!a-z0-9_]*) echo 'usage: make update KIND=ip_policy' >&2; exit 2 ;; esac
export GOGC=off GOMEMLIMIT=1GiB

go test -vet=off ./testserver -run '^TestContract_collections' -args -update
go test -vet=off ./internal/provider -run '^TestState' -args -update "tunnel_$kind"
# Users have the states of a release, so these are never written again.
release=$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)
for state in $(git diff --name-only -- internal/provider/testdata/state); do
  if [ -n "$release" ] && git cat-file -e "$release:$state" 2>/dev/null; then
    git checkout --quiet -- "$state"
    echo "$release contains $state: increase the version of the schema, and upgrade the state" >&2
    exit 1
  fi
done
make --no-print-directory generate >/dev/null
git status --short -- testserver/openapi.yaml internal/provider/testdata examples docs
