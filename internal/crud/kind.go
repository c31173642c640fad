// Package crud implements what all objects have in common. Each object is
// described once, as a Kind. Its resource, data sources, list resource,
// identity and import are derived from this description.
//
// # One resource from its creation to its end
//
// Package failoverbackend defines a Kind: a Schema, a model M, and Operations, which
// Collection (or Module) makes from api.FailoverBackends and the function that returns
// the body of a request. Define checks the description and returns it without its types
// (definition.go). Resource makes a kindResource, which is the framework's resource of
// this kind.
//
//   - Plan: ModifyPlan (plan.go) checks the account and calls the kind's Plan function.
//     For an object that does not change, package protocol asks PlansNoChange
//     (no_change.go) first, and the framework is not called at all.
//   - Create (create.go): a kind whose keys the user chooses claims them, and Exists
//     looks for the object. Operations.Create sends one POST. If the service refuses a
//     duplicate, twin finds it. If the outcome is unknown, unknownOutcome
//     (unknown_outcome.go) names what may exist. applied (resource.go) calls Fill, the
//     only way from a response to a model, and keepPlanned (planned.go), which keeps
//     what was planned.
//   - Read (resource.go): a page of a list may show that nothing changed (ReadsNoChange).
//     Otherwise Operations.Read gets the object, and Fill writes it. If it is gone, the
//     account decides whether it may leave the state (account.go).
//   - Update: Operations.Update sends the whole desired state, unless that is the state
//     already. Then applied, as after a creation.
//   - Delete: Operations.Delete. If other objects use the object, inUse names them
//     (advice.go, reference.go).
//   - Import: ImportState (identity.go) takes the keys from the ID or the identity, and
//     Read does the rest. A stored state of an older version goes through RenewState
//     (stored.go), and one of another provider through MoveState (move.go).
//
// Every error goes through failed (failed.go), which finds the attribute and adds advice.
// Models and states are converted by decode and encode (codec.go) only.
//
// # What is unusual
//
//   - What was planned stays in the state, even if the service stored something
//     else. The difference is one warning, and an honest change in the next plan.
//     See planned.go. So an apply never ends with "Provider produced inconsistent
//     result", and a new object is never tainted.
//   - A 404 is a question, and the list answers it: see gone.go in package api.
//     No single response removes an object from the state, because the next apply
//     would create it twice.
//   - A provider process is not a run: newer versions of Terraform plan and apply several
//     times in one. What run.go and account.go remember must be true for all of them.
package crud

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A Kind describes one kind of object to Terraform. M points to the model of the
// resource, and T to the service's object.
//
// Fill always writes the state from the service's response, whether it is the
// response to a create, read, update or list request. This is why an import
// plans no change.
type Kind[M, T any] struct {
	// Kind names it.
	*api.Kind
	// Subcategory is the group of its pages in the docs.
	Subcategory string
	// Schema is the resource's schema.
	Schema schema.Schema
	// Keys are the attributes that identify an object, in the order of the
	// import id. All are required for import.
	Keys []Key[M]
	// References are the attributes that name other objects.
	References []Reference[M]
	// OtherTypes are the types of the same objects in other providers, without their
	// prefix, if they differ from the type here; optional. See MoveState.
	OtherTypes []string
	// NamedBy reports whether a value of another object names the object of a
	// model; optional: by default, if it is the id.
	NamedBy func(model M, value string) bool
	// NaturalKey is the attribute that no two objects of the kind can share, for
	// errors; optional.
	NaturalKey string
	// ShownOnce names what only the response to a creation shows, such as the token. If
	// that response is lost, the advice is to delete the object; optional.
	ShownOnce string
	// InUse says what to do if an object cannot be deleted because objects refer
	// to it that cannot change the reference; optional.
	InUse string
	// Fill writes the service's object into a model, and what the provider
	// computes from it. The model contains what is already known of the object:
	// a plan, a prior state, or nothing.
	Fill func(*Provider, T, M)
	// Generated removes values from a state that generated configuration should
	// omit, because the service would choose them anyway; optional. The
	// schema's defaults are always omitted.
	Generated func(M)
	// WriteOnly copies the write-only values of a configuration, which no plan
	// contains, into a model that an update sends, if it needs them; optional.
	WriteOnly func(sent, config, state M)
	// Operations are the requests.
	Operations Operations[M, T]
	// Reading describes the data sources and the list resource.
	Reading Reading[M, T]

	// Plan completes a plan; optional.
	Plan func(context.Context, *Planning[M])
	// NeedsPlan reports whether Plan may have a result although the proposed
	// state is the prior state. It decides from a few values, because it is
	// called for nearly every object of a plan. Optional: without it, Plan has none.
	NeedsPlan func(*Unchanged) bool
	// Stored warns of what the service stored in a new object, or adds an error for an
	// object that is useless, which Terraform then replaces; optional.
	Stored func(stored, config M, diags *diag.Diagnostics)
	// Validate checks a configuration as a whole; optional. Values may be
	// unknown.
	Validate func(context.Context, M, *diag.Diagnostics)
}

// choosesKey reports whether the configuration chooses the key of an object, so
// that a read before its creation shows whether it exists.
func (k *Definition) choosesKey() bool { return k.Operations.Exists != nil }

// refusesDuplicates reports whether the service refuses a second object with the
// same key.
func (k *Definition) refusesDuplicates() bool { return k.NaturalKey != "" || k.choosesKey() }

// typeOf returns the type of objects with a name, such as tls_certificate, without the
// provider's prefix. That does not repeat a word of the name.
func typeOf(noun string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(noun), " ", "_"), prefix)
}

const prefix = "tunnel_" // of all types

// Type returns the resource type of a kind.
func Type(kind *api.Kind) string { return prefix + typeOf(kind.Noun) }

// typeOfMany returns the type of the data source of many objects of a kind.
func typeOfMany(kind *api.Kind) string { return prefix + typeOf(kind.Plural()) }

// A Key is an attribute that identifies an object.
type Key[M any] struct {
	// Name is the name of the attribute, in the schema and in the identity.
	Name string
	// Kind is the kind of object that has the key as its id. It is nil if the key
	// is no id. Description and Example follow from it.
	Kind *api.Kind
	// Description describes it in the identity.
	Description string
	// Example is a value, shown in errors.
	Example string
	// Parent reports whether the key is the id of the object's parent. A list
	// contains the objects in one parent, or in all parents.
	Parent bool
	// Of returns the attribute in a model.
	Of func(M) *types.String
}

// notEmpty returns an error for an empty value.
func (k Key[M]) notEmpty(text string) error {
	if text == "" {
		return fmt.Errorf("must be a value such as %s; found an empty string", k.Example)
	}
	return nil
}

// Provider is the configuration of the provider block. Every object gets it.
type Provider struct {
	// Client is nil if the configuration is incomplete or not known yet.
	Client *api.Client
	// Kinds are all kinds of objects.
	Kinds []*Definition
	// Missing says what is missing if the configuration is incomplete, and is
	// empty otherwise.
	Missing string
	// Now returns the current time.
	Now func() time.Time
	// OperationTimeout limits each operation, including its waits.
	OperationTimeout time.Duration
	// ExpiryWarning is the time before the expiry of a certificate from which
	// plans warn about it. 0 disables the warnings.
	ExpiryWarning time.Duration

	run run
}

// SkipAccountValidation lets all objects of a state be gone. It must be called
// before the provider is used.
func (p *Provider) SkipAccountValidation() { p.run.account.skipped = true }
