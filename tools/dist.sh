#!/bin/sh
# Makes dist/ out of what GoReleaser built, and checks it; see RELEASING.md. Usage, in the
# root of the repository: tools/dist.sh collect|sign|verify KEY_FILE [TAG]|key KEY_FILE
# collect writes all files but the signatures. sign reads the armored GPG_PRIVATE_KEY and its
# PASSPHRASE; without a key, it makes one that nobody trusts, and writes its public key to
# bin/dist-key.asc. verify checks everything, and key only that the key can be used.
set -eu
export LC_ALL=C # of sort
provider=terraform-provider-tunnel
platforms='darwin_amd64 darwin_arm64 linux_amd64 linux_arm64 windows_amd64 windows_arm64'

fail() {
  echo "dist: $1" >&2
  exit 1
}

sha256() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

find_version() { # in a directory, sets version, and the names that depend on it
  version=$(basename "$1"/${provider}_*_SHA256SUMS | sed -n "s/^${provider}_\([0-9]*\.[0-9]*\.[0-9]*\(-[0-9A-Za-z.-]*\)*\)_SHA256SUMS$/\1/p")
  [ -n "$version" ] || fail "$1 has no ${provider}_MAJOR.MINOR.PATCH_SHA256SUMS, or several"
  sums=${provider}_${version}_SHA256SUMS
  extras=tunnel-extras_${version}_checksums.txt # its name does not end as that of the other one
}

# gnupg makes a directory for keys, which is as short as the path of a socket must be.
gnupg() {
  GNUPGHOME=$(mktemp -d /tmp/dist.XXXXXX)
  export GNUPGHOME
  trap 'gpgconf --kill gpg-agent; rm -rf "$GNUPGHOME"' EXIT
}

collect() {
  find_version bin/goreleaser
  rm -rf dist
  mkdir dist
  cp bin/goreleaser/*.zip bin/goreleaser/*.cdx.json "bin/goreleaser/$sums" dist
  cp terraform-registry-manifest.json "dist/${provider}_${version}_manifest.json"
  (cd dist && sha256 tunnel-testserver_*.zip ./*.cdx.json | sed 's,  \./,  ,' >"$extras")
}

sign() {
  find_version dist
  gnupg
  if [ -n "${GPG_PRIVATE_KEY:-}" ]; then
    printf '%s\n' "$GPG_PRIVATE_KEY" | gpg --batch --quiet --import
  else
    echo 'dist: GPG_PRIVATE_KEY is not set: the signatures are of a throw-away key' >&2
    gpg --batch --quiet --passphrase '' --quick-generate-key 'Throw-away key' rsa3072 sign never
  fi
  for file in "dist/$sums" "dist/$extras"; do
    printf '%s\n' "${PASSPHRASE:-}" | # registries need a binary signature
      gpg --batch --yes --pinentry-mode loopback --passphrase-fd 0 --output "$file.sig" --detach-sign "$file"
  done
  gpg --armor --export >bin/dist-key.asc
}

# When a key ends, gpg refuses every release that was signed with it. The Terraform registry
# accepts no elliptic curve.
key() {
  gpg --show-keys --with-colons "$1" | awk -F: -v until=$(($(date +%s) + 180 * 86400)) '
    function wrong(what) { print "dist: key " $5 " " what; bad = 1 }
    $1 == "pub" { keys++ }
    ($1 == "pub" || $1 == "sub") && $12 ~ /s/ && $2 != "r" {
      if ($4 != 1) wrong("is not RSA")
      if ($7 != "" && $7 < until) wrong("expires within 180 days")
    }
    END { if (keys != 1) wrong("is not the only one of the file"); exit bad }' >&2
}

names() { # what registries read, or else the rest
  for platform in $platforms; do
    if [ "$1" = registries ]; then echo "${provider}_${version}_$platform.zip"; else
      printf '%s\n' "tunnel-testserver_${version}_$platform.zip" "${provider}_${version}_$platform.cdx.json" \
        "tunnel-testserver_${version}_$platform.cdx.json"
    fi
  done
  if [ "$1" = registries ]; then echo "${provider}_${version}_manifest.json"; fi
}

same() { # compares what is found, from the input, with what is wanted
  sort >"$GNUPGHOME/found"
  diff "$2" "$GNUPGHOME/found" >&2 || fail "$1: < is missing, > does not belong there"
}

verify() {
  [ -f "$1" ] || fail "$1, the public key of releases, does not exist"
  find_version dist
  [ -z "${2:-}" ] || [ "${2#v}" = "$version" ] || fail "dist has version $version, want $2"
  key "$1"
  gnupg
  gpg --batch --quiet --import "$1"
  cd dist
  names registries | sort >"$GNUPGHOME/$sums"
  names others | sort >"$GNUPGHOME/$extras"
  { cat "$GNUPGHOME/$sums" "$GNUPGHOME/$extras" && printf '%s\n' "$sums" "$sums.sig" "$extras" "$extras.sig"; } |
    sort >"$GNUPGHOME/all"
  ls | same 'the files' "$GNUPGHOME/all"
  for file in "$sums" "$extras"; do
    cut -c 67- "$file" | same "$file" "$GNUPGHOME/$file"
    sha256 --check --strict "$file" >"$GNUPGHOME/log" || fail "$file: $(grep -v ': OK$' "$GNUPGHOME/log")"
    ! grep -aq BEGIN "$file.sig" || fail "$file.sig is armored: registries need a binary signature"
    gpg --batch --verify "$file.sig" "$file" 2>"$GNUPGHOME/log" ||
      fail "$file.sig is not a signature of $file with this key: $(cat "$GNUPGHOME/log")"
  done
  jq -e '.version == 1 and .metadata.protocol_versions == ["6.0"]' "${provider}_${version}_manifest.json" >/dev/null ||
    fail 'the manifest is not of version 1 with protocol 6.0'
  for platform in $platforms; do
    case $platform in windows_*) exe=.exe ;; *) exe= ;; esac
    archive "$provider" "${provider}_v$version$exe"
    archive tunnel-testserver "tunnel-testserver$exe"
  done
  echo "dist has version $version, $(ls | wc -l | tr -d ' ') files, nothing is wrong"
}

# archive checks the archive of a program for the platform, and runs a program for this
# machine, without an environment, which may hold secrets.
archive() {
  file=$1_${version}_$platform.zip
  printf '%s\n' LICENSE "$2" | sort >"$GNUPGHOME/want"
  unzip -Z1 "$file" | same "$file" "$GNUPGHOME/want"
  rm -rf "$GNUPGHOME/program"
  unzip -q "$file" -d "$GNUPGHOME/program"
  program=$GNUPGHOME/program/$2
  [ -x "$program" ] || fail "$file: $2 is not executable"
  [ "$platform" != "$(go env GOHOSTOS)_$(go env GOHOSTARCH)" ] || [ "$(env -i "$program" -version)" = "$1 $version" ] ||
    fail "$file: -version does not print $1 $version"
}

case ${1:-} in
collect | sign | verify | key) "$@" ;;
*) fail 'expected collect, sign, verify or key' ;;
esac
