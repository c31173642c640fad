// Terraform-provider-tunnel is a Terraform provider for the account-level
// resources of a tunnelling service.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// version is set by the linker in a release.
var version = "dev"

func main() {
	debuggable := flag.Bool("debug", false, "wait for a debugger such as delve to attach")
	flag.Parse()
	logs := provider.LogsWanted()
	if !logs {
		quiet()
	}
	debug.SetGCPercent(400)

	server, err := provider.Server(provider.New(version, provider.WithJournal(journal()))(), logs)
	if err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	if *debuggable {
		options = append(options, tf6server.WithManagedDebug())
	}
	err = tf6server.Serve("registry.terraform.io/tunnel-service/tunnel", func() tfprotov6.ProviderServer { return server }, options...)
	if err != nil {
		log.Fatal(err)
	}
}

// journal returns the folder in which objects on their way into being leave a
// note, for the next run to find what a killed one has made; "" where this
// machine has no place for it.
func journal() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "terraform-provider-tunnel")
}

// quiet turns logs off. Where nobody reads them, each step of each RPC would be
// encoded for Terraform all the same, which parses it and drops it: a fifth to a
// half of the time of a plan.
func quiet() {
	os.Setenv("TF_LOG_SDK", "off")
	os.Setenv("TF_LOG_PROVIDER_TUNNEL", "off")
}
