package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	maxCandidates = 10 // that an error names
	notFromBefore = "An object from well before this apply is not from it: the new one may still appear. "
)

// unknownOutcome reports a creation that may have been processed, and what the
// user can do about it.
func (c *creation[M, T]) unknownOutcome(ctx context.Context, err error) {
	objects, searchErr := c.kind.Operations.Candidates(ctx, c.client, &c.plan)
	var found []*M
	for _, object := range objects {
		if model := c.filled(object); c.mayBe(context.WithoutCancel(ctx), model) {
			found = append(found, model)
		}
	}
	slices.SortFunc(found, func(a, b *M) int { return c.compare(b, a) })

	noun := WithArticle(c.kind.Noun)
	text := capital(err.Error()) + ".\n\nThe request may have been processed. " +
		"The provider did not repeat it, because that could create a duplicate. "
	again := "If you apply again without importing it, Terraform creates another one.\n\n" +
		"If the plan replaces the resource and create_before_destroy applies, Terraform cannot import the new object, because the state still " +
		"contains the old one. If no other configuration manages the new object, delete it, and apply again."
	switch {
	case c.kind.ShownOnce != "":
		c.lost(found, searchErr, text)
		return
	case c.kind.choosesKey():
		text = capital(err.Error()) + ".\n\nThe request may have been processed. "
		again = "You can apply again: this does not create a duplicate, and if the object exists, the error shows how to import it."
	case c.kind.NaturalKey != "":
		again = fmt.Sprintf(
			"If you apply again without importing it, the service should refuse a second one with this %s, and the error then shows how to "+
				"import the first. The API documentation does not promise that.", c.kind.NaturalKey,
		)
	}
	if len(found) > 0 && searchErr != nil {
		again = fmt.Sprintf("The search was cut short (%s), so the account can contain more of them.\n\n%s", searchErr, again)
	}
	switch {
	case len(found) == 1:
		text += fmt.Sprintf(
			"The account contains %s that matches this configuration: %s. It may have been created by this resource, be the one that this "+
				"resource replaces, or belong to another configuration. "+notFromBefore+
				"If no other configuration manages it, import it with:\n\n%s\n\n%s",
			noun,
			c.candidate(found[0]),
			c.howToImport(found[0]),
			again,
		)
	case len(found) > 1:
		text += fmt.Sprintf("The account contains %d objects that match this configuration, newest first:\n\n%s\n\n"+
			"Each of them may have been created by this resource, be the one that it replaces, or belong to another configuration. "+notFromBefore+
			"Import only one that no other configuration manages, and delete the duplicates that no configuration manages. "+
			"For example, import the newest one with:\n\n%s\n\n%s", len(found), c.list(found), c.howToImport(found[0]), again)
	case searchErr != nil:
		text += fmt.Sprintf(
			"The provider could not check whether the object exists: %s.\n\n%s", searchErr,
			c.beforeApplyingAgain("Before you apply again, check", again),
		)
	default:
		text += "No matching object is visible yet: the request was not processed, the service is still processing it, or it stored other " +
			"values than planned.\n\n" +
			c.beforeApplyingAgain("Before you apply again, wait a minute and check", again)
	}
	c.diags.AddError(c.undetermined(), text)
}

func (c *creation[M, T]) undetermined() string {
	return "Could not determine whether the " + c.kind.Noun + " was created"
}

// lost is unknownOutcome for an object of which only the lost response showed a part: to
// import it is of no use.
func (c *creation[M, T]) lost(found []*M, searchErr error, text string) {
	text += fmt.Sprintf("If it exists, its %s is lost, because only the response to the creation shows it. "+
		"Do not import such %s: delete it in the service, and apply again.\n\n", c.kind.ShownOnce, WithArticle(c.kind.Noun))
	const check = "Before you apply again, check it with terraform query, a data source or the API."
	if len(found) > 0 {
		text += fmt.Sprintf("Of these, newest first, delete only what was created at the time of this apply and what no other configuration "+
			"manages:\n\n%s\n\n", c.list(found))
	}
	switch {
	case searchErr != nil:
		text += fmt.Sprintf("The provider could not look at all objects: %s. %s", searchErr, check)
	case len(found) == 0:
		text += "No matching object is visible yet. Wait a minute. " + check
	}
	c.diags.AddError(c.undetermined(), text)
}

// candidate returns the import id of an object and when it was created.
func (c *creation[M, T]) candidate(model *M) string {
	if at := createdAt(model); !at.IsZero() {
		return fmt.Sprintf("%s (created at %s)", c.importID(model), at.UTC().Format("2006-01-02T15:04:05Z"))
	}
	return c.importID(model)
}

func (c *creation[M, T]) list(models []*M) string {
	var lines []string
	for _, model := range models[:min(len(models), maxCandidates)] {
		lines = append(lines, "  "+c.candidate(model))
	}
	if more := len(models) - maxCandidates; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// beforeApplyingAgain returns what to do if it is unknown whether an object
// exists.
func (c *creation[M, T]) beforeApplyingAgain(check, again string) string {
	if c.kind.choosesKey() {
		return again
	}
	return fmt.Sprintf("%s whether the account contains %s with this configuration (with terraform query, a data source or the API). "+
		"If it does not, apply again. If it does, import it with:\n\n%s\n\n%s", check, WithArticle(c.kind.Noun), c.howToImportID("ID"), again)
}
