package acctest

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	install "github.com/hashicorp/hc-install"
	"github.com/hashicorp/hc-install/fs"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
	"github.com/hashicorp/hc-install/src"
)

// init removes the settings of Terraform and the provider from the environment,
// so that they do not affect tests. It keeps the TF_ACC variables of the tests.
func init() {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if (strings.HasPrefix(name, "TF_") || strings.HasPrefix(name, "TUNNEL_")) && !strings.HasPrefix(name, "TF_ACC") {
			os.Unsetenv(name)
		}
	}
}

// Program returns the path of Terraform. It skips the test if TF_ACC is not set.
func Program(t *testing.T) string {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestAcc") {
		t.Fatal("a test that runs Terraform must be called TestAcc<Resource>_<case>")
	}
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	program, err := FindTerraform()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// ProviderAddress returns the full address of the provider. TF_ACC_PROVIDER_HOST sets
// its host.
func ProviderAddress() string { return ProviderHost() + "/tunnel-service/tunnel" }

// ProviderHost returns the registry of providers whose source names none.
func ProviderHost() string { return cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io") }

// isOpenTofu reports whether the program is OpenTofu.
var isOpenTofu = sync.OnceValue(func() bool {
	program, err := FindTerraform()
	if err != nil {
		return false
	}
	out, err := exec.Command(program, "version").Output()
	return err == nil && strings.HasPrefix(string(out), "OpenTofu")
})

// FindTerraform returns the path of Terraform: the path in TF_ACC_TERRAFORM_PATH, the
// program on the PATH, or else a download.
var FindTerraform = sync.OnceValues(func() (string, error) {
	if program := os.Getenv("TF_ACC_TERRAFORM_PATH"); program != "" {
		return program, nil
	}
	return install.NewInstaller().Ensure(context.Background(), []src.Source{
		&fs.AnyVersion{Product: &product.Terraform},
		&releases.LatestVersion{Product: product.Terraform},
	})
})
