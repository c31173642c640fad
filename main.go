// Terraform-provider-tunnel is a Terraform provider for the account-level
// resources of a tunnelling service.
package main

import (
	"flag"
	"log"
	"os"
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
	if !provider.LogsWanted() {
		quiet()
	}
	debug.SetGCPercent(400)

	server, err := provider.Server(provider.New(version)())
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

// quiet turns off logging. Otherwise the framework would encode log messages
// for each step of every RPC even if no log is requested, and Terraform would
// parse and drop them: 20 to 45% of the CPU time of a plan.
func quiet() {
	os.Setenv("TF_LOG_SDK", "off")
	os.Setenv("TF_LOG_PROVIDER_TUNNEL", "off")
}
