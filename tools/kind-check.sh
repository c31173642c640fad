#!/bin/sh
# Runs the tests that a new kind of object must pass, in a few minutes, and prints the
# next step at the first one that fails. Usage: tools/kind-check.sh KIND, such as
# ip_policy. The steps are those of "Add an object" in CONTRIBUTING.md.
set -eu
unset TF_CLI_CONFIG_FILE
kind=${1:-}
case $kind in '' | *[!a-z0-9_]*) echo 'usage: make kind-check KIND=ip_policy' >&2; exit 2 ;; esac
GOFLAGS="${GOFLAGS:-} -vet=off -ldflags=-s"
export GOFLAGS GOGC=off GOMEMLIMIT=1GiB
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# check NAME NEXT COMMAND... runs a command; if it fails, it prints the end of its output
# and the next step.
check() {
  name=$1 next=$2
  shift 2
  if "$@" >"$output" 2>&1; then
    echo "ok    $name"
    return
  fi
  grep -E '^ *--- FAIL|^panic:|_test\.go:[0-9]+:' "$output" | head -n 10 | cut -c 1-300
  tail -n 20 "$output" | cut -c 1-300
  echo "FAIL  $name"
  echo "Next: $next"
  exit 1
}

# named prints where the API client has the kind; a type does not repeat the prefix tunnel_.
named() { grep -hiE "Noun: \"(tunnel )?$(echo "$kind" | tr _ ' ')\"" internal/api/*.go; }

# is_served looks for the path of the kind in openapi.yaml, whose parameters may have other names.
is_served() {
  path=$(named | sed -n 's/.*Path: "\([^"]*\)".*/\1/p' | sed 's/{[a-z_]*}/{[a-z_]*}/g')
  grep -q "^  $path:" testserver/openapi.yaml
}

has_resource() { go run ./internal/cmd/docs -check 2>/dev/null | grep -q "\"tunnel_$kind\""; }

# own_tests runs the tests of the package that has the name of the kind, or else of those
# that name its resource type, because some packages define several kinds.
own_tests() {
  packages=./internal/objects/$(echo "$kind" | tr -d _)
  [ -d "$packages" ] || packages=$(grep -lE "tunnel_$kind\\b" internal/objects/*/*_test.go | xargs -r dirname | sort -u | sed 's,^,./,')
  [ -z "$packages" ] || TF_ACC=1 go test $packages
}

# verify compares the test server with the contract, for a kind with a path of its own.
verify() {
  go build -o bin/tunnel-testserver ./testserver/cmd/tunnel-testserver || return
  for only in "$kind" "tunnel_$kind"; do
    bin/tunnel-testserver -- bin/tunnel-testserver verify -yes -only "$only" && return
    grep -q 'invalid -only' "$output" || return 1
  done
  echo 'a module of another object: go test ./testserver tries it'
}

check 'it compiles' 'fix the errors' go build ./...
check 'the API client has the kind' 'step 1: internal/api, with its Noun' named
check 'the provider has the resource' 'step 2: internal/objects and internal/provider/kinds.go' has_resource
check 'the contract' 'step 4: openapi.yaml; make update KIND='$kind \
  go test ./testserver -run 'TestContract|TestAPI'
check 'the test server has the kind' 'step 3: testserver/internal/kinds and its kinds.go' is_served
check 'schemas and states' 'fix the texts; then step 5: samples.go, and make update KIND='$kind \
  go test ./internal/provider -run 'TestSchema|TestState'
check 'the test server fulfills the contract' 'step 4: openapi.yaml (x-refers-to), and values.go in testserver/internal/conformance' verify
check 'the examples' 'step 6: examples and CHANGELOG.md; then make update KIND='$kind go test ./internal/docs -run 'TestExamples'
check 'its own tests' 'fix the kind, or the test' own_tests
check 'create, update, clear, import' 'step 5: internal/acctest/samples.go, or internal/provider/lifecycle_samples_test.go' \
  env TF_ACC=1 go test ./internal/provider
check 'other behavior' "step 5: internal/acctest/samples.go" go test ./internal/chaos -run "^TestBehavior_everyKind$/.*/^tunnel_$kind$"
check 'the docs' 'step 6: make update KIND='$kind make --no-print-directory docs-check
check 'texts of pages, comments and imports' 'fix what the test says' go test ./internal ./internal/docs -skip 'TestDist'
echo 'Next: go test ./... and make testacc, which try the kind together with all others'
