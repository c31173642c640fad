package chaos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// estate is a configuration with several objects of many kinds, and the next revision
// of it, which changes every object that can change. Objects without a natural key are
// identical.
type estate struct {
	first, second map[string]resourceConfig
	before        map[string]bool // paths of the objects that existed before
}

func newEstate(t *testing.T, w *acctest.Env, copies int, kinds []acctest.Kind) *estate {
	t.Helper()
	e := &estate{map[string]resourceConfig{}, map[string]resourceConfig{}, map[string]bool{}}
	for _, kind := range kinds {
		_, arguments := kind.Configuration(t, w)
		for i := range copies {
			if i > 0 && kind.RefusesDuplicates {
				_, arguments = kind.Configuration(t, w)
			}
			address := fmt.Sprintf("%s_%d", kind.Type, i)
			e.first[address] = resourceConfig{Type: kind.Type, Arguments: arguments}
			e.second[address] = resourceConfig{Type: kind.Type, Arguments: changedInPlace(t, arguments)}
		}
	}
	for _, path := range w.Paths() {
		e.before[path] = true
	}
	return e
}

// agreement compares the objects of the state with those at the service.
type agreement struct {
	objects int      // number of objects at the service
	orphans []string // at the service, but not in the state
	missing []string // in the state, but not at the service
}

func (e *estate) agreement(w *acctest.Env, tf *terraform) (a agreement) {
	tf.t.Helper()
	there := slices.DeleteFunc(w.Paths(), func(path string) bool { return e.before[path] })
	held := tf.state()
	for _, path := range there {
		if _, ok := held[path]; !ok {
			a.orphans = append(a.orphans, path)
		}
		delete(held, path)
	}
	for path := range held {
		a.missing = append(a.missing, path)
	}
	a.objects = len(there)
	return a
}

// agree fails the test if the service does not hold exactly the objects of a
// configuration, with all values of the state.
func (e *estate) agree(r *realTerraform, after string, config map[string]resourceConfig) {
	r.t.Helper()
	if a := e.agreement(r.service, r.terraform); a.objects != len(config) || len(a.orphans)+len(a.missing) > 0 {
		r.t.Fatalf("after %s: %+v, want %d objects\n%s", after, a, len(config), r.summary())
	}
	r.write(config)
	r.ExpectNoChanges(r.t)
}

// operator runs Terraform and follows the instructions in its errors: it imports objects
// that errors name and deletes other orphans.
type operator struct {
	*realTerraform
	estate   *estate
	imported map[string]string // import ids by address, in imports.tf
	left     map[string]bool   // paths of orphans that a later error will name

	warned  bool // whether the last run said that the service stored different values
	unknown int  // number of creations with an unknown outcome
	created int  // number of objects that these creations made
	named   int  // number of these that an error named and that were imported
	deleted int  // number of these that were deleted
}

func newOperator(e *estate, r *realTerraform) *operator {
	return &operator{realTerraform: r, estate: e, imported: map[string]string{}, left: map[string]bool{}}
}

// run applies a configuration once and reports whether it succeeded. Each new orphan must
// come from a creation whose error reports an unknown outcome, with at most one orphan
// per error.
func (p *operator) run(config map[string]resourceConfig, options ...tfexec.ApplyOption) bool {
	p.t.Helper()
	p.write(config)
	out, err := p.ApplyJSON(p.t, options...)
	p.service.SetRules()
	p.warned = strings.Contains(out, storedDifferently)
	unknown := map[string]int{}  // by resource type
	named := map[string]string{} // import id to address
	for _, f := range failuresIn(out) {
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
	pending := map[string]bool{}
	for _, id := range p.imported {
		pending[id] = true
	}
	for _, path := range p.estate.agreement(p.service, p.terraform).orphans {
		kind, keys := acctest.KindAt(path)
		id := kind.ImportID(keys)
		if pending[id] {
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
			p.service.Delete(path)
			p.deleted++
		}
	}
	for kind, n := range fresh {
		if n > unknown[kind] {
			p.t.Errorf("%d orphans of %s, and only %d errors that say so:\n%s", n, kind, unknown[kind], p.summary())
		}
	}
	p.writeImports()
	return err == nil
}

// writeImports writes the import blocks that are still necessary.
func (p *operator) writeImports() {
	for _, h := range p.state() {
		delete(p.imported, h.address)
	}
	var blocks strings.Builder
	for address, id := range p.imported {
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", address, id)
	}
	p.Write(p.t, "imports.tf", blocks.String())
}
