#!/bin/sh
# Fails if a saved plan deletes or replaces a certificate, unless
# APPROVE_CERTIFICATES is true. Usage: sh gate.sh PLANFILE
set -eu
certificates=$(terraform show -json "$1" | jq -r '
  .resource_changes[]?
  | select(.type == "tunnel_tls_certificate" or .type == "tunnel_ssh_host_certificate")
  | select(.change.actions | index("delete"))
  | .address')
if [ -n "$certificates" ] && [ "${APPROVE_CERTIFICATES:-}" != true ]; then
  echo "The plan deletes or replaces these certificates:" >&2
  echo "$certificates" >&2
  echo "To approve, add the label replace-certificates to the pull request (GitHub)," >&2
  echo "or run the pipeline with the variable APPROVE_CERTIFICATES=true (GitLab)." >&2
  exit 1
fi
