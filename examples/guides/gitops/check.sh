#!/bin/sh
# Fails if the configuration, or a module that it uses, mentions base_url, also in a
# comment, or has escapes in JSON: a pull request could send the API key to another host
# with it. Usage: sh check.sh
set -eu
if grep -rnE --include='*.tf' --include='*.tofu' '(^|[^A-Za-z0-9_."-])base_url([^A-Za-z0-9_"-]|$)' . >&2 ||
  grep -rnE --include='*.tf.json' --include='*.tofu.json' '"base_url"|\\u' . >&2; then
  echo "The lines above can set base_url. Set TUNNEL_BASE_URL in the pipeline instead." >&2
  exit 1
fi
