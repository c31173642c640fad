#!/usr/bin/env bash
# Downloads, verifies and starts the test server, and exports its address and keys. action.yml runs it.
set -euo pipefail

fail() {
  echo "::error::$1"
  exit 1
}

version=${VERSION#v}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
  fail "\"$VERSION\" is not the version of a release. Use a tag of this action, or set the input \"version\", such as v0.1.0."
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "The action runs on Linux and macOS." ;;
esac
case $(uname -m) in
x86_64) machine=amd64 ;;
*) machine=arm64 ;;
esac

directory=$(mktemp -d "$RUNNER_TEMP/tunnel-testserver.XXXXXX")
cd "$directory"
archive=tunnel-testserver_${version}_${system}_${machine}.zip
checksums=tunnel-extras_${version}_checksums.txt
for file in "$archive" "$checksums" "$checksums.sig"; do
  curl --fail --silent --show-error --location --retry 3 --output "$file" "$DOWNLOAD_URL/v$version/$file" ||
    fail "Could not download $DOWNLOAD_URL/v$version/$file."
done

# The key is a part of the action, so what was downloaded cannot replace it.
mkdir -m 700 gnupg
gpg --homedir gnupg --no-autostart --batch --quiet --import "$GITHUB_ACTION_PATH/../../release-key.asc" ||
  fail "Could not read the public key of releases."
gpg --homedir gnupg --no-autostart --batch --quiet --verify "$checksums.sig" "$checksums" ||
  fail "The signature of $checksums is not valid."
grep "  $archive\$" "$checksums" >checksum || fail "$checksums does not list $archive."
if command -v sha256sum >/dev/null; then sum=(sha256sum); else sum=(shasum -a 256); fi
"${sum[@]}" --check checksum || fail "The checksum of $archive is wrong."
unzip -q "$archive"

arguments=(-listen 127.0.0.1:0 -ready-file ready.json)
while IFS= read -r argument; do
  if [ -n "$argument" ]; then arguments+=("$argument"); fi
done <<<"$ARGUMENTS"
nohup ./tunnel-testserver "${arguments[@]}" >server.log 2>&1 </dev/null &
server=$!
until [ -f ready.json ]; do
  kill -0 "$server" 2>/dev/null || fail "The test server did not start: $(tail -1 server.log)"
  sleep 0.1
done

# Later steps may print them.
jq -r '.api_key, .ordinary_api_key, .read_only_api_key | "::add-mask::\(.)"' ready.json
jq -r '"url=\(.url)", "api-key=\(.api_key)", "ordinary-api-key=\(.ordinary_api_key)", "read-only-api-key=\(.read_only_api_key)"' ready.json >>"$GITHUB_OUTPUT"
echo "log=$directory/server.log" >>"$GITHUB_OUTPUT"
jq -r '"TUNNEL_BASE_URL=\(.url)", "TUNNEL_API_KEY=\(.api_key)"' ready.json >>"$GITHUB_ENV"
echo "tunnel-testserver $version listens on $(jq -r .url ready.json)"
