// Package function implements the provider's functions. They are pure, work
// offline, and do not use the configuration of the provider.
package function

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// All lists the constructors of all functions.
var All = []func() function.Function{
	func() function.Function { return sshCertificate{} },
	func() function.Function { return sshFingerprint{} },
	func() function.Function { return knownHostsLine{} },
	func() function.Function { return policyDecision{} },
	func() function.Function { return policyRules{} },
	func() function.Function { return certificateCovers{} },
	func() function.Function { return aclAllows{} },
	func() function.Function { return decryptToken{} },
}

// argumentError returns an error about the argument at a position, counted from
// 0. Terraform adds the period.
func argumentError(position int64, name string, err error) *function.FuncError {
	return function.NewArgumentFuncError(position, name+" "+strings.TrimSuffix(err.Error(), "."))
}
