// Package function is the provider's functions: pure, offline, and without any
// configuration of the provider.
package function

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// All are the constructors of the functions.
var All = []func() function.Function{
	func() function.Function { return sshCertificate{} },
	func() function.Function { return sshFingerprint{} },
	func() function.Function { return knownHostsLine{} },
}

// argumentError reports an argument, counted from 0, that is wrong. Terraform adds
// the full stop.
func argumentError(position int64, name string, err error) *function.FuncError {
	return function.NewArgumentFuncError(position, name+" "+strings.TrimSuffix(err.Error(), "."))
}
