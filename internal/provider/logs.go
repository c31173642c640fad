package provider

import (
	"os"
	"strings"
)

// LogsWanted reports whether an environment variable of Terraform turns logs
// on.
func LogsWanted() bool {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TF_LOG") && value != "" {
			return true
		}
	}
	return false
}
