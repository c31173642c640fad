package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/calendar"
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
func (f *calendarFlags) compare(ctx context.Context, w *workspace, account []byte, shown *shownPlan, out, messages io.Writer) error {
	names, err := shown.Configuration.RootModule.hostCertificates()
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
		if err := os.WriteFile(filepath.Join(w.dir, "zzz_rehearsal_policy_override.tf"), []byte(text.String()), 0o600); err != nil {
			return err
		}
		for _, pipeline := range pipelines {
			fmt.Fprintf(messages, "%d days, %s\n", days, pipeline)
			row, err := f.policy(ctx, w, account, pipeline, messages)
			if err != nil {
				return err
			}
			row.RenewBefore, row.Pipeline = days, pipeline.String()
			table.Policies = append(table.Policies, row)
		}
	}
	if err := f.printTable(table, out); err != nil {
		return err
	}
	if !table.HasGood() {
		return exitCode(1)
	}
	return nil
}

// policy makes the calendar of the configuration in the workspace, and sums it up.
func (f *calendarFlags) policy(ctx context.Context, w *workspace, account []byte, pipeline calendar.Pipeline, messages io.Writer) (
	calendar.Policy, error,
) {
	if err := w.restore(); err != nil {
		return calendar.Policy{}, err
	}
	copied, shown, stop, err := f.open(ctx, w, account)
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

func (f *calendarFlags) printTable(table *calendar.Table, out io.Writer) error {
	var text strings.Builder
	if f.format == "json" {
		encoder := json.NewEncoder(&text)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(table); err != nil {
			return err
		}
	} else {
		table.WriteText(&text)
	}
	return f.print(out, text.String())
}

// hostCertificates returns the names of the resources for SSH host certificates.
// Terraform overrides only those of the root module.
func (m shownModule) hostCertificates() ([]string, error) {
	var names []string
	for _, resource := range m.Resources {
		if name, found := strings.CutPrefix(resource.Address, hostCertificates+"."); found {
			names = append(names, name)
		}
	}
	for name, call := range m.ModuleCalls {
		if inside, err := call.Module.hostCertificates(); err != nil || len(inside) > 0 {
			return nil, fmt.Errorf("-renew-before changes only resources of the root module, but module.%s has a %s", name, hostCertificates)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("-renew-before: the configuration has no %s", hostCertificates)
	}
	return names, nil
}
