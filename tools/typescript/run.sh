#!/bin/sh
# Generates a client in TypeScript from openapi.yaml, compiles it with strict types, and
# uses it with the test server.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root/tools/typescript/client.ts" "$work"
cd "$work"
npm install --no-save --ignore-scripts --silent openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@22.19.1
npx openapi-typescript "$root/testserver/openapi.yaml" --output api.ts
npx tsc --strict --noUncheckedIndexedAccess --skipLibCheck --types node --target es2022 --module commonjs --esModuleInterop client.ts
go -C "$root" build -o "$work/tunnel-testserver" ./testserver/cmd/tunnel-testserver
./tunnel-testserver -- node client.js
