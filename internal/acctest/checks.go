package acctest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// Planned returns checks of the plan before an apply.
func Planned(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

// ID returns a check that stores the id of a resource in id.
func ID(address string, id *string) resource.TestCheckFunc {
	return func(state *terraform.State) (err error) {
		*id, err = attributeOf(state, address, "id")
		return err
	}
}

func attributeOf(state *terraform.State, address, name string) (string, error) {
	found, ok := state.RootModule().Resources[address]
	if !ok {
		return "", fmt.Errorf("%s is not in the state", address)
	}
	return found.Primary.Attributes[name], nil
}

// CreatedBeforeDeleted returns a check that, since the last ResetStats, an
// object was created in a collection before the first object was deleted.
func (w *Env) CreatedBeforeDeleted(list string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		created := false
		for _, request := range w.Requests() {
			switch {
			case request.Method == "POST" && request.Path == list && request.Status == 201:
				created = true
			case request.Method == "DELETE" && !created:
				return fmt.Errorf("%s was deleted before its successor was created", request.Path)
			case request.Method == "DELETE":
				return nil
			}
		}
		return fmt.Errorf("of %s nothing was created and then deleted", list)
	}
}
