#!/bin/sh
# Run it after terraform init and before all other commands of Terraform, which start
# the providers. Usage: sh check.sh
#
# Fails if a file of the configuration or of its modules mentions base_url, also in a
# comment, if a provider is not in the list below, or if the repository contains a provider
# of its own. It reads the files that Terraform reads, also through links.
#
# It does not see the environment and the CLI configuration of the runner, what the
# functions of the configuration read (such as file), and what an apply does.
set -eu

providers='registry.terraform.io/tunnel-service/tunnel registry.opentofu.org/tunnel-service/tunnel terraform.io/builtin/terraform'

stop() {
  echo "check.sh: $1" >&2
  exit 1
}
for program in git grep jq sed terraform; do
  command -v "$program" >/dev/null || stop "$program is not installed"
done
[ -z "${TF_DATA_DIR:-}" ] || stop "TF_DATA_DIR is not supported"
committed=$(git ls-files -- ':(icase).terraform' ':(icase)terraform.d') || stop "git cannot list the files of the repository"
[ -z "$committed" ] || stop "Terraform would run programs of the repository: $committed"

requirements=$(terraform providers) || stop "run terraform init first"
used=$(printf '%s\n' "$requirements" | sed -n 's/.*provider\[\([^]]*\)\].*/\1/p')
[ -n "$used" ] || stop "terraform providers lists no provider"
for provider in $used; do
  case " $providers " in
    *" $provider "*) ;;
    *) stop "the provider $provider is not in the list of this script" ;;
  esac
done

# Terraform writes this file if there are modules: the directories that it reads.
modules=.terraform/modules/modules.json
directories=.
if [ -e "$modules" ]; then
  directories=$(jq -er '.Modules | map(.Dir | if test("\n") then error else . end) | unique[]' "$modules") || stop "cannot read $modules"
fi
while IFS= read -r directory; do
  for file in "$directory"/*.tf "$directory"/*.tf.json "$directory"/*.tofu "$directory"/*.tofu.json; do
    [ -e "$file" ] || [ -L "$file" ] || continue
    case $file in
      *.json) pattern='"base_url"|\\u' ;;
      *) pattern='(^|[^A-Za-z0-9_."-])base_url([^A-Za-z0-9_"-]|$)' ;;
    esac
    code=0
    LC_ALL=C grep -HnE -e "$pattern" -- "$file" >&2 || code=$?
    case $code in
      0) stop "the lines above can set base_url. Set TUNNEL_BASE_URL in the pipeline instead." ;;
      1) ;;
      *) stop "cannot read $file" ;;
    esac
  done
done <<END
$directories
END
