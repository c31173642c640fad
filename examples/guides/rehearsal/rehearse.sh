#!/bin/sh
# Rehearses an apply of the configuration in this directory, with a copy of the account
# and of the state. The service and the state see only reads.
#
#   ./rehearse.sh [options of terraform plan, such as -var-file=prod.tfvars]
#
# TUNNEL_BASE_URL and TUNNEL_API_KEY are those of the service. A read-only key is enough.
# Exit codes: 0: the apply works, 1: it fails, 2: it works, but the plan after it has
# changes, 3: it is not rehearsed, because it could reach something other than the copy.
exec tunnel-testserver rehearse -- terraform "$@"
