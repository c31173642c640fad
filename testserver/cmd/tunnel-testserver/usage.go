package main

const usage = `Usage:
  tunnel-testserver [flags]                 serve until a signal
  tunnel-testserver [flags] -- COMMAND ...  serve while a command runs, and exit with its code
  tunnel-testserver health URL              exit with 0 if a server answers
  tunnel-testserver clone                   print all objects of a service as a seed
  tunnel-testserver calendar                rehearse the coming months with a copy of an account
  tunnel-testserver explore                 interrupt an apply or a command at each request
  tunnel-testserver rehearse                apply a configuration to a copy of an account
  tunnel-testserver traffic                 say what clients notice of an apply
  tunnel-testserver verify                  compare a service with the API contract

A command gets TUNNEL_BASE_URL, TUNNEL_API_KEY (an admin's key), TUNNEL_ORDINARY_API_KEY
and TUNNEL_READ_ONLY_API_KEY. clone, calendar, explore, rehearse, traffic and verify read the
first two.

Flags:
`

// onCopy ends the usage of what uses a copy of the account.
const onCopy = `
Run it in the directory of a configuration, after terraform init. The account is that of
TUNNEL_BASE_URL and TUNNEL_API_KEY; a read-only key is enough. After terraform, plan,
apply, -auto-approve and -input=false are ignored.
`
