#!/bin/sh
# Builds the image of the test server from the archives of a release in a directory. Usage, in
# the root of the repository: tools/image.sh DIRECTORY [OPTION of docker buildx build...]
set -eu
directory=$1
shift
version=$(basename "$directory"/tunnel-testserver_*_linux_amd64.zip _linux_amd64.zip | cut -d _ -f 2)
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
for machine in amd64 arm64; do
  unzip -q "$directory/tunnel-testserver_${version}_linux_$machine.zip" -d "$context/$machine"
done
mkdir -p "$context/volume/data"
chmod 700 "$context/volume/data"
${DOCKER:-docker buildx} build -f testserver/Dockerfile --build-arg "VERSION=$version" "$@" "$context"
