#!/bin/sh
# Rehearses an apply of the configuration in this directory, with a copy of the account
# and of the state. The service and the state see only reads.
#
#   ./rehearse.sh [options of terraform plan, such as -var-file=prod.tfvars]
#
# TUNNEL_BASE_URL and TUNNEL_API_KEY are those of the service. A read-only key is enough.
# Exit codes: 0: the apply works, 1: it fails, 2: it works, but the plan after it has
# changes, 3: it would reach the service, change objects of other services, or run
# commands, so it is not rehearsed.
set -eu
umask 077 # the copy contains the state

for program in cat jq mktemp mv rm sh tar terraform tunnel-testserver; do
  command -v "$program" >/dev/null || { echo "rehearse.sh: $program is not installed" >&2; exit 1; }
done
for option; do
  case $option in
    -state* | --state* | -out* | --out* | -destroy* | --destroy*) echo "not rehearsed, because $option would plan something else, or leave the copy" >&2; exit 3 ;;
  esac
done
copy=$(mktemp -d "$PWD.rehearsal-XXXXXX") # beside this directory, so that paths such as ../modules work
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM
tar -cf "$copy/rehearsal.tar" --exclude=./.terraform --exclude='./*.tfstate' .
tar -xf "$copy/rehearsal.tar" -C "$copy"
rm "$copy/rehearsal.tar"
terraform state pull >"$copy/rehearsal.state"
if [ ! -s "$copy/rehearsal.state" ] && [ -e terraform.tfstate ]; then
  echo "rehearse.sh: terraform.tfstate is empty. Restore it first, for example from terraform.tfstate.backup" >&2
  exit 1
fi
tunnel-testserver clone -o "$copy/account.json"

# The rehearsal must not reach the service, whatever the configuration says. Terraform
# merges files by name, so the checks below look for files that come even later.
cat >"$copy/zzz_rehearsal_override.tf" <<END
terraform {
  backend "local" {}
}
provider "tunnel" {
  base_url     = null
  api_key      = null
  api_key_file = null
}
END
case $(cat "$copy"/*.tf "$copy"/*.tf.json 2>/dev/null) in
  *'tunnel-service/tunnel"'*) ;;
  *) # only modules declare the provider: Terraform would take the block above for hashicorp/tunnel
    source=$(terraform version -json |
      jq -r '[.provider_selections // {} | keys[] | select(endswith("/tunnel-service/tunnel"))][0] // "tunnel-service/tunnel"')
    cat >>"$copy/zzz_rehearsal_override.tf" <<END
terraform {
  required_providers {
    tunnel = { source = "$source" }
  }
}
END
    ;;
esac

cat >"$copy/rehearsal.sh" <<'END'
set -eu
stop() {
  echo "not rehearsed, because $1" >&2
  exit 3
}
terraform init -reconfigure -input=false >init.log || { cat init.log; exit 1; }
[ "$(jq -c '[.backend.type, .backend.config.path]' .terraform/terraform.tfstate)" = '["local",null]' ] ||
  stop 'an override file sets another backend: the state is not kept in the copy'
[ ! -s rehearsal.state ] || mv rehearsal.state terraform.tfstate # it is empty if nothing was applied yet
terraform plan -input=false -out=rehearsal.plan "$@"
terraform show -json rehearsal.plan >rehearsal.json
jq -e '(.format_version | startswith("1.")) and has("planned_values")' rehearsal.json >/dev/null || stop 'this script does not know the format of the plan'
fixed=$(jq -r '.configuration.provider_config // {} | to_entries[] | select(.value.full_name | endswith("/tunnel-service/tunnel"))
  | select(.key as $key | .value.expressions // {} | to_entries[] | select(.key | IN("base_url", "api_key", "api_key_file"))
    | select($key != "tunnel" or .value != {constant_value: null})) | .key' rehearsal.json)
[ -z "$fixed" ] || stop "these provider blocks set an address or key of their own: $fixed"
commands=$(jq -r 'def resources: (.resources // [] | .[] | select(.provisioners) | .address),
  (.module_calls // {} | to_entries[] | .key as $name | .value.module | resources | "module." + $name + "." + .);
  [.configuration.root_module | resources] | unique[]' rehearsal.json)
[ -z "$commands" ] || stop "these provisioners run commands: $commands"
others=$(jq -r '[.resource_changes // [] | .[]
  | select(.change.actions != ["no-op"] and .change.actions != ["read"]) | .provider_name
  | select(endswith("/tunnel-service/tunnel") or startswith("terraform.io/builtin/") | not)] | unique[]' rehearsal.json)
[ -z "$others" ] || stop "it would change objects of: $others"
actions=$(jq -r '.action_invocations // [] | .[].address' rehearsal.json)
[ -z "$actions" ] || stop "it would run these actions: $actions"
terraform apply -input=false rehearsal.plan || { echo 'rehearsal: the apply fails' >&2; exit 1; }
code=0
terraform plan -input=false -detailed-exitcode "$@" || code=$?
[ "$code" -ne 2 ] || echo 'rehearsal: the apply works, but the plan after it has changes' >&2
exit "$code"
END

cd "$copy"
# Options in these variables could name another state.
unset TF_WORKSPACE TF_DATA_DIR TF_CLI_ARGS TF_CLI_ARGS_init TF_CLI_ARGS_plan TF_CLI_ARGS_show TF_CLI_ARGS_apply
tunnel-testserver -seed account.json -- sh rehearsal.sh "$@"
