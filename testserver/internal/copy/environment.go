package copy

import (
	"os"
	"path"
	"slices"
	"strings"
)

// passed are the names of the variables that programs on a copy get, in upper case: what
// finds programs, files, modules and providers, what variables and data sources of a
// configuration need, and what approves changes. Any other variable could name another
// provider, state or service, or start a program.
var passed = strings.Fields(`PATH HOME USER LOGNAME SHELL TERM LANG LC_* TZ TMPDIR TMP TEMP CI NO_COLOR
	HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NETRC SSH_AUTH_SOCK GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_CONFIG_*
	TF_VAR_* TF_TOKEN_* TF_CLI_CONFIG_FILE TF_IN_AUTOMATION XDG_CONFIG_HOME TUNNEL_SKIP_ACCOUNT_VALIDATION
	AWS_* AZURE_* ARM_* CLOUDSDK_* GOOGLE_* KUBE* VAULT_*
	APPDATA LOCALAPPDATA USERPROFILE PROGRAMFILES PROGRAMDATA SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT`)

// environment returns the part of the environment that programs on a copy get.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !slices.ContainsFunc(passed, func(pattern string) bool {
			matches, _ := path.Match(pattern, strings.ToUpper(name)) // the patterns are valid
			return matches
		})
	})
}
