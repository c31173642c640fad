#!/bin/sh
# Rehearses an apply of the configuration in this directory, with a copy of the account
# and of the state. The service and the state see only reads.
#
#   ./rehearse.sh [options of terraform plan, such as -var-file=prod.tfvars]
#
# TUNNEL_BASE_URL and TUNNEL_API_KEY are those of the service. A read-only key is enough.
# Exit codes: 0: the apply works, 1: it fails, 2: it works, but the plan after it has
# changes, 3: it would reach the service, or change objects of other services, so it is
# not rehearsed.
set -eu
umask 077 # the copy contains the state

copy=$(mktemp -d "$PWD.rehearsal-XXXXXX") # beside this directory, so that paths such as ../modules work
trap 'rm -rf "$copy"' EXIT
tar -cf - --exclude=./.terraform --exclude='./*.tfstate' . | tar -xf - -C "$copy"
terraform state pull >"$copy/terraform.tfstate"
[ -s "$copy/terraform.tfstate" ] || rm "$copy/terraform.tfstate" # nothing was applied yet
tunnel-testserver clone -o "$copy/account.json"

# The rehearsal must not reach the service, whatever the configuration says.
cat >"$copy/rehearsal_override.tf" <<END
terraform {
  backend "local" {}
}
provider "tunnel" {
  base_url     = null
  api_key      = null
  api_key_file = null
}
END

cat >"$copy/rehearsal.sh" <<'END'
set -eu
terraform init -reconfigure -input=false >init.log || { cat init.log; exit 1; }
terraform plan -input=false -out=rehearsal.plan "$@"
terraform show -json rehearsal.plan >rehearsal.json
fixed=$(jq -r '.configuration.provider_config // {} | to_entries[] | select(.key != "tunnel" and (.value.full_name | endswith("/tunnel-service/tunnel")))
  | select(.value.expressions // {} | has("base_url") or has("api_key") or has("api_key_file")) | .key' rehearsal.json)
if [ -n "$fixed" ]; then
  echo "not rehearsed, because these provider blocks set an address or key of their own: $fixed" >&2
  exit 3
fi
others=$(jq -r '[.resource_changes[]?
  | select(.change.actions != ["no-op"] and .change.actions != ["read"]) | .provider_name
  | select(endswith("/tunnel-service/tunnel") or startswith("terraform.io/builtin/") | not)] | unique[]' rehearsal.json)
if [ -n "$others" ]; then
  echo "not rehearsed, because it would change objects of: $others" >&2
  exit 3
fi
terraform apply -input=false rehearsal.plan || { echo 'rehearsal: the apply fails' >&2; exit 1; }
code=0
terraform plan -input=false -detailed-exitcode "$@" || code=$?
[ "$code" -ne 2 ] || echo 'rehearsal: the apply works, but the plan after it has changes' >&2
exit "$code"
END

cd "$copy"
unset TF_WORKSPACE TF_DATA_DIR
tunnel-testserver -seed account.json -- sh rehearsal.sh "$@"
