package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const maxCandidates = 10 // that an error names

// unknownOutcome reports a creation that may have been processed, what it may have
// created, and what the user can do about it.
func (c *creation) unknownOutcome(ctx context.Context, err error) {
	objects, searchErr := c.kind.Operations.Candidates(ctx, c.client, c.plan)
	var found []any
	for _, object := range objects {
		if model := c.filled(object); c.mayBe(context.WithoutCancel(ctx), model) {
			found = append(found, model)
		}
	}
	slices.SortFunc(found, func(a, b any) int { return c.compare(b, a) })
	c.diags.AddError(
		"Could not determine whether the "+c.kind.Noun+" was created",
		capital(err.Error())+".\n\nThe request may have been processed.\n\n"+c.visible(found, searchErr)+"\n\n"+c.nextStep(found),
	)
}

// visible says which objects the creation may have made.
func (c *creation) visible(found []any, searchErr error) string {
	const check = " Before you apply again, check the account with terraform query, a data source or the API."
	switch {
	case len(found) > 0:
		text := "The account contains objects that match this configuration, newest first:\n\n" + c.list(found) + "\n\nEach of them may have " +
			"been created by this resource, be the one that it replaces, or belong to another configuration. An object from well before this " +
			"apply is not from it: the new one may still appear."
		if searchErr != nil {
			text += fmt.Sprintf(" The search was cut short, so there can be more: %s.", searchErr)
		}
		return text
	case searchErr != nil:
		return fmt.Sprintf("The provider could not check whether the object exists: %s.", searchErr) + check
	}
	return "No matching object is visible yet: the request was not processed, the service is still processing it, or it stored other " +
		"values than planned. Wait a minute." + check
}

// nextStep says what the user can do.
func (c *creation) nextStep(found []any) string {
	if c.kind.ShownOnce != "" {
		return fmt.Sprintf("Do not import such %s: its %s is lost, because only the response to the creation shows it. Delete only what was "+
			"created at the time of this apply and what no other configuration manages, and apply again.",
			WithArticle(c.kind.Noun), c.kind.ShownOnce)
	}
	howToImport, again := c.howToImportID("ID"), "If you apply again without importing it, Terraform creates another one. The provider does "+
		"not repeat the request, because that could do the same."
	if len(found) > 0 {
		howToImport = c.howToImport(found[0])
	}
	switch {
	case c.kind.choosesKey():
		again = "You can also apply again: this does not create a duplicate, and if the object exists, the error shows how to import it."
	case c.kind.NaturalKey != "":
		again = fmt.Sprintf(
			"If you apply again without importing it, the service should refuse a second one with this %s, and the error then shows how to "+
				"import the first. The API documentation does not promise that.", c.kind.NaturalKey,
		)
	}
	if !c.kind.choosesKey() {
		again += fmt.Sprintf("\n\nIf the plan replaces the resource and create_before_destroy applies, the state still has the old object at "+
			"this address. Move it before the import, and the next apply deletes it:\n\n  terraform state mv %s %s.old",
			c.address(), Type(c.kind.Kind))
	}
	return "Import one that no other configuration manages with:\n\n" + howToImport + "\n\n" + again
}

// candidate returns the import id of an object and when it was created.
func (c *creation) candidate(model any) string {
	if at := createdAt(model); !at.IsZero() {
		return fmt.Sprintf("%s (created at %s)", c.importID(model), at.UTC().Format("2006-01-02T15:04:05Z"))
	}
	return c.importID(model)
}

func (c *creation) list(models []any) string {
	var lines []string
	for _, model := range models[:min(len(models), maxCandidates)] {
		lines = append(lines, "  "+c.candidate(model))
	}
	if more := len(models) - maxCandidates; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return strings.Join(lines, "\n")
}
