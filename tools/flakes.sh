#!/bin/sh
# Runs all tests several times, in random order, with 1, 2 and 8 processors for Go, while
# other programs keep the machine busy. It lists each test that failed at least once,
# with the command that repeats its round. Usage: tools/flakes.sh ROUNDS [PACKAGE...]
# Without packages, these are all of the repository, also those of the modules in tools.
set -eu
unset TF_CLI_CONFIG_FILE
rounds=$1
shift
modules=.
[ $# -gt 0 ] || { set -- ./...; modules='. tools/client tools/page'; }
results=$(mktemp -d)
busy=
trap 'kill $busy 2>/dev/null' EXIT
for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
  (while :; do :; done) &
  busy="$busy $!"
done
for round in $(seq "$rounds"); do
  case $((round % 3)) in 0) processors=8 ;; 1) processors=1 ;; *) processors=2 ;; esac
  seed=$(date +%s)
  for module in $modules; do
    repeat="GOMAXPROCS=$processors TF_ACC=1 go test -C $module -p 2 -parallel 4 -vet=off -count=1 -timeout=60m -shuffle=$seed"
    output=$results/$round-$(basename "$module").json
    echo "round $round of $rounds: $repeat $*"
    GOMAXPROCS=$processors TF_ACC=1 go test -C "$module" -p 2 -parallel 4 -vet=off -count=1 -timeout=60m -shuffle="$seed" -json "$@" >"$output" || true
    # A package can fail without a test that fails, for example if it does not build.
    jq -r --arg repeat "$repeat" 'select(.Action == "fail" or .Action == "build-fail")
      | "FAIL \(.Test // "(the package)"): \($repeat) \(.Package // .ImportPath)"' "$output" | tee -a "$results/failed"
  done
done
if [ -s "$results/failed" ]; then
  echo "These tests failed at least once. The output is in $results:"
  sed 's/^FAIL \(.*\): GOMAXPROCS.* \([^ ]*\)$/\1 in \2/' "$results/failed" | sort | uniq -c | sort -rn
  exit 1
fi
echo "No test failed in $rounds rounds."
rm -r "$results"
