package acctest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

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
