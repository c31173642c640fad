package provider

import (
	"os"
	"strings"
)

// LogsWanted tells whether any of Terraform's variables for logs is set.
func LogsWanted() bool {
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TF_LOG") && value != "" {
			return true
		}
	}
	return false
}
