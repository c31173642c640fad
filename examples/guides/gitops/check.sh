#!/bin/sh
# Fails if the configuration, or a module that it uses, sets base_url: a pull request
# could send the API key to another host with it. Usage: sh check.sh
set -eu
if grep -rnE --include='*.tf' --include='*.tf.json' --include='*.tofu' --include='*.tofu.json' \
  '(^|[^A-Za-z0-9_.])"?base_url"?[[:space:]]*[=:]' . >&2; then
  echo "The lines above set base_url. Set TUNNEL_BASE_URL in the pipeline instead." >&2
  exit 1
fi
