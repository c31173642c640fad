package main

import "os"

// awaitTerraform returns when the parent of this process, Terraform, has ended.
func awaitTerraform() {
	if process, err := os.FindProcess(os.Getppid()); err == nil {
		_, _ = process.Wait()
	}
}
