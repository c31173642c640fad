// Terraform-provider-tunnel is a Terraform provider for the account-level
// resources of a tunnelling service.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// release is the version of a release, set by the linker.
var release string

func main() {
	showVersion := flag.Bool("version", false, "print the version and exit")
	debuggable := flag.Bool("debug", false, "wait for a debugger such as delve to attach")
	address := flag.String("address", "registry.terraform.io/tunnel-service/tunnel",
		"with -debug, the address of the provider; OpenTofu looks up registry.opentofu.org/tunnel-service/tunnel")
	flag.Parse()
	if *showVersion {
		fmt.Println("terraform-provider-tunnel", version())
		return
	}
	if !logsWanted() {
		quiet()
	}
	debug.SetGCPercent(200)
	if !*debuggable {
		endWithTerraform()
	}

	server, err := provider.Server(provider.New(version())())
	if err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	if *debuggable {
		options = append(options, tf6server.WithManagedDebug())
	}
	err = tf6server.Serve(*address, func() tfprotov6.ProviderServer { return server }, options...)
	provider.End()
	if err != nil {
		log.Fatal(err)
	}
}

// version returns the version of the release, the version of the module that go
// install was given, or "dev".
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// logsWanted reports whether an environment variable of Terraform turns logs on.
func logsWanted() bool {
	return slices.ContainsFunc(os.Environ(), func(variable string) bool {
		name, value, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "TF_LOG") && value != ""
	})
}

// quiet turns off logging. Otherwise the framework would encode log messages
// for each step of every RPC even if no log is requested, and Terraform would
// parse and drop them: 20 to 45% of the CPU time of a plan.
func quiet() {
	os.Setenv("TF_LOG_SDK", "off")
	os.Setenv("TF_LOG_PROVIDER_TUNNEL", "off")
}

// endWithTerraform makes the provider live as long as Terraform, not shorter or longer.
// systemd, timeout and CI runners send SIGTERM to all processes of a run: Terraform
// then waits for the requests in flight, so the provider must not end before they do
// (the plugin library ignores SIGINT for the same reason). If Terraform is killed,
// nobody reads the results, and the API key must not stay in memory.
func endWithTerraform() {
	signal.Ignore(syscall.SIGTERM)
	go func() {
		awaitTerraform()
		provider.End()
		os.Exit(1)
	}()
}
