//go:build !windows

package main

import (
	"errors"

	"golang.org/x/sys/unix"
)

// awaitTerraform returns when nobody reads the output of this process any more: Terraform
// has ended, whatever the parent of this process is. A wrapper may wait for the provider,
// and the parent may be in another PID namespace.
func awaitTerraform() {
	output := []unix.PollFd{{Fd: 1}} // standard output, which the plugin library replaces only in package os
	for {
		if _, err := unix.Poll(output, -1); !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
