package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/calendar"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// hostCertificates is the type of the resources whose renewal policies are compared.
const hostCertificates = "tunnel_ssh_host_certificate"

// maxPolicies is the maximum number of values in a table.
const maxPolicies = 10

func parseDays(text string) ([]int, error) {
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		days, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(part), "d"))
		if err != nil || days < 0 || days > maxDays || len(all) == maxPolicies {
			return nil, fmt.Errorf("expected at most %d numbers of days, such as 7,14,30", maxPolicies)
		}
		all = append(all, days)
	}
	return all, nil
}

// compare prints what expires with each value of early_renewal_hours and each rhythm of
// the pipeline. Each calendar begins after an apply, so that the value is in force.
func (f *calendarFlags) compare(ctx context.Context, folder *copy.Folder, account []byte, shown *copy.Plan, out, messages io.Writer) error {
	names, err := hostCertificatesOf(shown)
	if err != nil {
		return err
	}
	pipelines := []calendar.Pipeline{}
	for _, rhythm := range []string{"every day", "weekly", f.pipeline.String()} {
		if pipeline, err := calendar.ParsePipeline(rhythm); err == nil &&
			!slices.ContainsFunc(pipelines, func(p calendar.Pipeline) bool { return p.String() == rhythm }) {
			pipelines = append(pipelines, pipeline)
		}
	}
	table := &calendar.Table{From: f.from, Days: f.days}
	for _, days := range f.renewBefore {
		var text strings.Builder
		for _, name := range names {
			fmt.Fprintf(&text, "resource %q %q {\n  early_renewal_hours = %d\n}\n", hostCertificates, name, days*24)
		}
		if err := folder.WriteFile("zzz_rehearsal_policy_override.tf", text.String()); err != nil {
			return err
		}
		for _, pipeline := range pipelines {
			fmt.Fprintf(messages, "%d days, %s\n", days, pipeline)
			row, err := f.policy(ctx, folder, account, pipeline, messages)
			if err != nil {
				return err
			}
			row.RenewBefore, row.Pipeline = days, pipeline.String()
			table.Policies = append(table.Policies, row)
		}
	}
	if err := f.print(out, table, table.WriteText); err != nil {
		return err
	}
	if !table.HasGood() {
		return exitCode(1)
	}
	return nil
}

// policy makes the calendar of the configuration in the workspace, and sums it up.
func (f *calendarFlags) policy(ctx context.Context, folder *copy.Folder, account []byte, pipeline calendar.Pipeline, messages io.Writer) (
	calendar.Policy, error,
) {
	if err := folder.Restore(nil); err != nil {
		return calendar.Policy{}, err
	}
	copied, shown, stop, err := f.open(ctx, folder, account)
	if failed, ok := errors.AsType[firstPlanFails](err); ok {
		return calendar.Policy{Failure: string(failed)}, nil
	}
	if err != nil {
		return calendar.Policy{}, err
	}
	defer stop()
	if failure, err := copied.Apply(ctx); err != nil || failure != "" {
		return calendar.Policy{Failure: failure}, err
	}
	made, err := f.make(ctx, copied, shown, pipeline, messages)
	if err != nil {
		return calendar.Policy{}, err
	}
	return made.Policy(), nil
}

// hostCertificatesOf returns the names of the resources for SSH host certificates.
// Terraform overrides only those of the root module.
func hostCertificatesOf(plan *copy.Plan) ([]string, error) {
	var names []string
	for _, resource := range plan.ResourceChanges {
		module, address, _ := strings.Cut(resource.Address, hostCertificates+".")
		name, _, _ := strings.Cut(address, "[")
		switch {
		case name == "" || resource.Mode != "managed" || slices.Equal(resource.Change.Actions, []string{"delete"}):
		case module != "":
			return nil, fmt.Errorf("-renew-before changes only resources of the root module, but %s has a %s",
				strings.TrimSuffix(module, "."), hostCertificates)
		case !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("-renew-before: the configuration has no %s", hostCertificates)
	}
	return names, nil
}

// defaultWarning is the default of expiry_warning_hours.
const defaultWarning = 720 * time.Hour

// warning returns how long before an end plans warn, if the configuration says so with a
// constant.
func warning(plan *copy.Plan) time.Duration {
	var value struct {
		Hours *int64 `json:"constant_value"`
	}
	err := json.Unmarshal(plan.Configuration.ProviderConfig["tunnel"].Expressions["expiry_warning_hours"], &value)
	if err != nil || value.Hours == nil {
		return defaultWarning
	}
	return time.Duration(*value.Hours) * time.Hour
}
