package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// operator runs Terraform and follows the instructions in its errors: it
// imports objects that errors name and deletes other orphans.
type operator struct {
	estate   *estate
	env      *acctest.Env
	tf       *terraform
	imported map[string]string // import ids by address, in imports.tf
	left     map[string]bool   // paths of orphans that a later error will name

	warned  bool // whether the last run said that the service stored different values
	unknown int  // number of creations with an unknown outcome
	created int  // number of objects that these creations made
	named   int  // number of these that an error named and that were imported
	deleted int  // number of these that were deleted
}

// run runs a command once and reports whether it succeeded. Each new orphan
// must come from a creation whose error reports an unknown outcome, with at
// most one orphan per error.
func (p *operator) run(options ...tfexec.ApplyOption) bool {
	p.tf.t.Helper()
	out, err := p.tf.ApplyJSON(p.tf.t, options...)
	failures := failuresIn(out)
	p.env.SetFaults()
	p.warned = slices.ContainsFunc(diagnosticsIn(out, "warning"), func(w failure) bool { return strings.HasPrefix(w.Summary, storedDifferently) })
	unknown := map[string]int{}  // by resource type
	named := map[string]string{} // import id to address
	for _, f := range failures {
		kind, _, _ := strings.Cut(f.Address, ".")
		if f.unknown() {
			unknown[kind]++
			p.unknown++
		}
		for _, id := range f.ids() {
			if named[id] == "" {
				named[id] = f.Address
			}
		}
	}
	fresh := map[string]int{} // orphans of this run, by resource type
	for _, path := range p.estate.agreement(p.env, p.tf).orphans {
		kind, keys := acctest.KindAt(path)
		id := kind.ImportID(keys)
		if p.pending(id) {
			continue
		}
		if !p.left[path] {
			fresh[kind.Type]++
			p.created++
		}
		switch address := named[id]; {
		case address != "" && p.imported[address] == "":
			p.imported[address] = id
			p.named++
		case kind.RefusesDuplicates:
			p.left[path] = true
		default:
			p.env.Delete(path)
			p.deleted++
		}
	}
	for kind, n := range fresh {
		if n > unknown[kind] {
			p.tf.t.Errorf("%d orphans of %s, and only %d errors that say so:\n%s", n, kind, unknown[kind], p.tf.summary())
		}
	}
	p.writeImports()
	return err == nil
}

// pending reports whether an import of the object is pending.
func (p *operator) pending(id string) bool {
	return slices.Contains(slices.Collect(maps.Values(p.imported)), id)
}

// writeImports writes the import blocks that are still necessary.
func (p *operator) writeImports() {
	held := map[string]bool{}
	for _, h := range p.tf.state() {
		held[h.address] = true
	}
	var blocks strings.Builder
	for _, address := range slices.Sorted(maps.Keys(p.imported)) {
		if held[address] {
			delete(p.imported, address)
			continue
		}
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", address, p.imported[address])
	}
	p.tf.Write(p.tf.t, "imports.tf", blocks.String())
}
