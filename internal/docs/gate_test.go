package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccGitOps_gateStopsChanges applies objects and plans a change of each at once:
// for each rule one that the gate must stop, and one that it must let pass. gate.rego
// decides the same.
func TestAccGitOps_gateStopsChanges(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	type change struct {
		name          string
		before, after object // nil if it does not exist
		want          string // empty if it passes
	}
	w, _ := startServer(t)
	tf := w.Terraform(t, "")
	tf.Needs(t, acctest.WriteOnlyArguments)
	const late, allowed = "${terraform_data.late.output}", `{"allow":["192.0.2.0/24","198.51.100.0/24"],"deny":["192.0.2.7"]}`
	action := func(kind, config string) object { return object{"type": kind, "config": config} }
	rule := func(name, expression string, actions ...object) object {
		return object{"name": name, "expressions": []string{expression}, "actions": actions}
	}
	rules := func(all ...object) object { return object{"inbound": all} }
	office := func(config string) object {
		return rules(rule("office", "conn.client_port > 1", action("restrict-ips", config)))
	}
	only := func(phase string, actions ...object) object {
		return object{phase: []object{{"expressions": []string{}, "actions": actions}}}
	}
	with := func(o object, more ...any) object {
		o = maps.Clone(o)
		for i := 0; i < len(more); i += 2 {
			o[more[i].(string)] = more[i+1]
		}
		return o
	}
	deny, log, token := object{"type": "deny"}, object{"type": "log"}, object{"type": "jwt-validation"}
	bad, one := rule("bad", "conn.client_ip == '192.0.2.1'", log, deny), rule("office", "conn.client_port > 1", action("restrict-ips", allowed))
	bot := w.Create("/bot_users", `{"name": "ci"}`)
	hostKey := testcert.PublicKey(t, "")
	policies := []string{w.Create("/ip_policies", "{}"), w.Create("/ip_policies", "{}")}
	rotated := object{"lifecycle": object{"replace_triggered_by": []string{"terraform_data.late"}, "create_before_destroy": true}}
	now := time.Now().Truncate(time.Hour)
	until := func(days int, names ...string) *testcert.Chain {
		return testcert.ChainOf{Names: names, NotBefore: now.AddDate(0, 0, -1), NotAfter: now.AddDate(0, 0, days)}.New(t)
	}
	chain, later, others := until(40, "a.example.com"), until(85, "a.example.com"), until(85, "a.example.com", "b.example.com")
	uploaded := func(chain *testcert.Chain) object {
		return object{
			"certificate_pem": chain.PEM(), "private_key_pem_wo": chain.PKCS8(t), "lifecycle": object{"create_before_destroy": true},
		}
	}
	acl := func(rules ...string) object { return object{"acl": rules} }
	required := map[string]func() object{
		"tls_certificate": func() object {
			return object{"certificate_pem": chain.PEM(), "private_key_pem_wo": chain.PKCS8(t), "private_key_pem_wo_version": 1}
		},
		"reserved_domain": func() object { return object{"domain": testcert.Domain()} },
		"https_edge_route": func() object {
			return object{"edge_id": w.Create("/edges/https", "{}"), "match": "/", "match_type": "path_prefix"}
		},
		"tls_edge_policy":         func() object { return object{"edge_id": w.Create("/edges/tls", "{}")} },
		"tcp_edge_policy":         func() object { return object{"edge_id": w.Create("/edges/tcp", "{}")} },
		"tls_edge_ip_restriction": func() object { return object{"edge_id": w.Create("/edges/tls", "{}"), "ip_policy_ids": policies[:1]} },
		"ip_policy_rule":          func() object { return object{"ip_policy_id": w.Create("/ip_policies", "{}"), "cidr": "192.0.2.7/32"} },
		"ssh_host_certificate": func() object {
			return object{
				"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": hostKey, "principals": []string{"a.example.com"},
				"early_renewal_hours": 24,
			}
		},
		"ssh_credential": func() object { return object{"public_key": testcert.PublicKey(t, "")} },
		"bot_user":       func() object { return object{"name": "ci"} },
		"api_key":        func() object { return object{"store_token": true} },
	}
	const replaced = "it is deleted or replaced"
	const less, another = "the rule office is removed, or may deny less", "it may be for another owner"
	const disabled, lets, open = "it is or may be disabled", "its rules change, and the action (known after apply) may let people in", "it has or may have no restrictions"
	const noToken = "the rule [] is removed, or may deny less\nits rules change, and the action jwt-validation may let people in"
	changes := []change{
		{"tls_certificate.described", object{}, object{"description": "new"}, ""},
		{"tls_certificate.renewed", uploaded(chain), uploaded(later), ""},
		{"tls_certificate.deleted_first", object{}, object{"certificate_pem": later.PEM(), "private_key_pem_wo": later.PKCS8(t)}, replaced},
		{"tls_certificate.ends_earlier", uploaded(later), uploaded(chain), replaced},
		{"tls_certificate.described_anew", uploaded(chain), with(uploaded(later), "description", "new"), replaced},
		{"tls_certificate.of_other_names", uploaded(chain), uploaded(others), replaced},
		{"ssh_host_certificate.renewed", rotated, rotated, ""},
		{"ssh_host_certificate.of_another_name", rotated, with(rotated, "principals", []string{"b.example.com"}), replaced},
		{"ssh_host_certificate.with_an_end", rotated, with(rotated, "valid_until", "2040-01-01T00:00:00Z"), replaced},
		{"tls_edge_policy.deleted", office(allowed), nil, "its rules are removed"},
		{"tls_edge_policy.moved", office(allowed), with(office(allowed), "edge_id", w.Create("/edges/tls", "{}")), "its rules are removed"},
		{"tls_edge_policy.disabled", office(allowed), with(office(allowed), "enabled", false), disabled},
		{"tls_edge_policy.may_be_disabled", office(allowed), with(office(allowed), "enabled", "${terraform_data.late.output == 2}"), disabled},
		{"tls_edge_policy.disabled_deleted", with(only("inbound", deny), "enabled", false), nil, ""},
		{"tls_edge_policy.rule_removed", rules(bad, one), rules(bad), less},
		{"tls_edge_policy.renamed", office(allowed), rules(with(one, "name", "headquarters")), ""},
		{"tls_edge_policy.exchanged", rules(bad, one), rules(one, bad), ""},
		{"tls_edge_policy.narrower", office(allowed), rules(with(one, "expressions", []string{"conn.client_port > 2"})), less},
		{"tls_edge_policy.for_all", office(allowed), rules(with(one, "expressions", []string{})), ""},
		{"tls_edge_policy.expression_unknown", office(allowed), rules(with(one, "expressions", []string{"conn.client_port > " + late})), less},
		{"tls_edge_policy.now_logs", rules(with(bad, "name", "office")), rules(rule("office", "conn.client_ip == '192.0.2.1'", log, log)), less},
		{"tls_edge_policy.log_removed", rules(bad), rules(with(bad, "actions", []object{deny})), ""},
		{"tls_edge_policy.denies_all", office(allowed), rules(with(one, "actions", []object{deny})), ""},
		{"tls_edge_policy.allow_grows", office(allowed), office(`{"allow":["192.0.2.0/24","198.51.100.0/24","203.0.113.0/24"],"deny":["192.0.2.7"]}`), less},
		{"tls_edge_policy.allow_shrinks", office(allowed), office(`{"allow":["192.0.2.0/24"],"deny":["192.0.2.7"]}`), ""},
		{"tls_edge_policy.allow_empty", office(allowed), office(`{"allow":[],"deny":["192.0.2.7"]}`), less},
		{"tls_edge_policy.allow_removed", office(allowed), office(`{"deny":["192.0.2.7"]}`), less},
		{"tls_edge_policy.deny_shrinks", office(allowed), office(`{"allow":["192.0.2.0/24","198.51.100.0/24"],"deny":[]}`), less},
		{"tls_edge_policy.deny_grows", office(allowed), office(`{"allow":["192.0.2.0/24","198.51.100.0/24"],"deny":["192.0.2.7","192.0.2.8"]}`), ""},
		{"tls_edge_policy.not_enforced", office(allowed), office(`{"enforce":false,"allow":["192.0.2.0/24","198.51.100.0/24"],"deny":["192.0.2.7"]}`), less},
		{"tls_edge_policy.action_moved", only("inbound", token), only("outbound", token), noToken},
		{"tls_edge_policy.config_unknown", only("inbound", token), only("inbound", action("jwt-validation", late)), noToken},
		{"tls_edge_policy.first_config", rules(rule("office", "true", object{"type": "restrict-ips"})), rules(rule("office", "true", action("restrict-ips", late))), less},
		{"tls_edge_policy.actions_unknown", rules(bad), rules(object{"expressions": []string{}, "actions": "${jsondecode(terraform_data.late.output)}"}, bad), lets},
		{"tls_edge_policy.type_unknown", rules(bad), rules(rule("", "true", object{"type": late}), bad), lets},
		{"tls_edge_policy.others_unknown", rules(bad), with(rules(bad), "outbound", "${jsondecode(terraform_data.late.output)}"), lets},
		{"tcp_edge_policy.all_unknown", with(only("inbound", deny), "enabled", false), object{"inbound": "${jsondecode(terraform_data.late.output)}"}, lets},
		{"tls_edge_policy.nothing_known", nil, object{
			"edge_id": late, "enabled": "${terraform_data.late.output == 2}", "inbound": "${jsondecode(terraform_data.late.output)}",
			"outbound": "${jsondecode(terraform_data.late.output)}",
		}, lets},
		{"tls_edge_policy.allow_none", office(`{"allow":[],"deny":["192.0.2.7"]}`), office(`{"deny":["192.0.2.7"]}`), less},
		{"tls_edge_policy.new_unknown", nil, object{"inbound": "${jsondecode(terraform_data.late.output)}"}, lets},
		{"tls_edge_policy.name_unknown", office(allowed), rules(with(one, "name", late)), ""},
		{"ip_policy_rule.denied", nil, object{"action": "deny"}, ""},
		{"ip_policy_rule.allowed", nil, object{"action": "allow"}, "it may allow 192.0.2.7/32"},
		{"ip_policy_rule.denied_no_longer", object{"action": "deny"}, nil, "it no longer denies 192.0.2.7/32"},
		{"ip_policy_rule.allowed_no_longer", object{"action": "allow"}, nil, ""},
		{"ip_policy_rule.changed", object{"action": "allow"}, object{"action": "allow", "cidr": "0.0.0.0/0"}, "it changes"},
		{"tls_edge_ip_restriction.deleted", object{}, nil, "it is removed"},
		{"tls_edge_ip_restriction.disabled", object{}, object{"enabled": false}, disabled},
		{"tls_edge_ip_restriction.extended", object{}, object{"ip_policy_ids": policies}, "its IP policies change"},
		{"tls_edge_ip_restriction.off", object{"enabled": false}, nil, ""},
		{"bot_user.off", object{"active": false}, object{"active": false, "name": "new"}, ""},
		{"bot_user.on", object{"active": false}, object{"active": true}, "its API keys work again"},
		{"ssh_credential.open", nil, object{}, "it is a new SSH credential\n" + open},
		{"ssh_credential.limited", nil, acl("bind:a"), "it is a new SSH credential"},
		{"ssh_credential.new_owner", nil, with(acl("bind:a"), "owner_id", late), "it is a new SSH credential\n" + another},
		{"ssh_credential.key", acl("bind:a"), with(acl("bind:a"), "public_key", testcert.PublicKey(t, "")), "it may be for another owner\nits public_key changes"},
		{"ssh_credential.owner", with(acl("bind:a"), "owner_id", bot), with(acl("bind:a"), "public_key", testcert.PublicKey(t, "")), "its public_key changes\n" + another},
		{"ssh_credential.acl_removed", acl("bind:a", "bind:b"), object{}, open},
		{"ssh_credential.acl_for_all", acl("bind:a", "bind:b"), acl("bind:a", "*"), open},
		{"ssh_credential.acl_new", acl("bind:a", "bind:b"), acl("bind:a", "bind:c"), "its acl has the new rule bind:c"},
		{"ssh_credential.acl_of_labels", acl("bind:*=*"), object{}, open},
		{"ssh_credential.acl_of_names", acl("bind:*"), acl("bind:*", "bind:a=b"), "its acl has the new rule bind:a=b"},
		{"ssh_credential.acl_same", acl("bind:*"), with(acl("bind:*"), "description", "new"), ""},
		{"ssh_credential.acl_less", acl("bind:a", "bind:b"), acl("bind:a"), ""},
		{"ssh_credential.acl_unknown", acl("bind:a", "bind:b"), acl("bind:a", "bind:"+late), open},
		{"api_key.new", nil, object{}, "it is a new API key"},
		{"api_key.rotated", with(rotated, "owner_id", bot), with(rotated, "owner_id", bot), ""},
		{"api_key.of_the_caller", rotated, rotated, another},
		{"api_key.other", object{"owner_id": bot}, object{"owner_id": w.AdminOwner}, "it is for the owner " + w.AdminOwner},
		{"api_key.owner_removed", with(rotated, "owner_id", bot), rotated, another},
		{"api_key.spaced", object{"for_each": `${toset(["a b"])}`}, object{"for_each": `${toset(["a b"])}`, "token_recipient": late}, "its token_recipient changes"},
	}
	for kind := range strings.FieldsSeq("tls_certificate ssh_certificate_authority reserved_domain reserved_address tls_edge tcp_edge https_edge https_edge_route") {
		changes = append(changes, change{kind + ".deleted", object{}, nil, replaced})
	}
	configs := map[bool]object{false: {"terraform_data": object{"late": object{"input": 1}}}, true: {"terraform_data": object{"late": object{"input": 2}}}}
	var want []string
	for _, c := range changes {
		kind, name, _ := strings.Cut(c.name, ".")
		given, address := object{}, "tunnel_"+c.name
		if required[kind] != nil {
			given = required[kind]()
		}
		for changed, arguments := range map[bool]object{false: c.before, true: c.after} {
			if arguments == nil {
				continue
			}
			if configs[changed]["tunnel_"+kind] == nil {
				configs[changed]["tunnel_"+kind] = object{}
			}
			all := maps.Clone(given)
			maps.Copy(all, arguments)
			configs[changed]["tunnel_"+kind].(object)[name] = all
		}
		if name == "spaced" {
			address += `["a b"]`
		}
		for line := range strings.Lines(c.want) {
			want = append(want, address+": "+strings.TrimSpace(line))
		}
	}
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	tf.Write(t, "gate.rego", read(t, "guides/gitops/gate.rego"))
	policy := policyProgram(t)
	gate := func(changed bool, approved ...string) (stopped []string) {
		t.Helper()
		text, err := json.Marshal(object{"resource": configs[changed]})
		if err != nil {
			t.Fatal(err)
		}
		tf.Write(t, "main.tf.json", string(text))
		if out, err := tf.Shell(t, "terraform plan -input=false -out=p"); err != nil {
			t.Fatalf("%v\n%s", err, acctest.Summary(out))
		}
		out, err := tf.Shell(t, "sh gate.sh p", "APPROVE_CHANGES="+strings.Join(approved, "\r\n "))
		_, lines, _ := strings.Cut(strings.TrimSpace(out), "These changes need approval:\n")
		if stopped = slices.Sorted(strings.SplitSeq(lines, "\n")); (err == nil) != (lines == "") {
			t.Errorf("%v\n%s", err, acctest.Summary(out))
		}
		data, err := json.Marshal(object{"approved": approved})
		if err != nil {
			t.Fatal(err)
		}
		tf.Write(t, "approved.json", string(data))
		denied, err := tf.Shell(t, "terraform show -json p >p.json && "+policy+" gate.rego p.json approved.json")
		if err != nil {
			t.Fatalf("%v\n%s", err, acctest.Summary(denied))
		}
		if diff := cmp.Diff(stopped, slices.Sorted(strings.SplitSeq(strings.TrimSpace(denied), "\n"))); diff != "" {
			t.Errorf("gate.rego decides otherwise than gate.sh (-gate.sh +gate.rego):\n%s", diff)
		}
		return stopped
	}
	var created []string
	for _, line := range gate(false) {
		address, _, _ := strings.Cut(line, ": ")
		created = append(created, address)
	}
	if left := gate(false, created...); len(left) != 1 || left[0] != "" {
		t.Errorf("they are approved: %q", left)
	}
	if out, err := tf.Shell(t, "terraform apply -input=false p"); err != nil {
		t.Fatalf("%v\n%s", err, acctest.Summary(out))
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, gate(true)); diff != "" {
		t.Errorf("the gate stops (-want +got):\n%s", diff)
	}
}

// policyProgram returns the program that evaluates gate.rego.
func policyProgram(t *testing.T) string {
	t.Helper()
	dir, err := rego()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "rego")
}

// TestAccGitOps_gateOfUnusualPlans gives both forms of the gate plans that this provider
// does not make, and those that say too little.
func TestAccGitOps_gateOfUnusualPlans(t *testing.T) {
	t.Parallel()
	acctest.Program(t) // a policy engine takes a minute to build, so only with TF_ACC
	certificate := func(names string) string {
		return `[{"address": "tunnel_tls_certificate.a", "type": "tunnel_tls_certificate", "name": "a", "change": {"actions": ["create", "delete"],
			"before": {"not_after": "2026-01-01T00:00:00Z", "subject_alternative_names": ` + names + `},
			"after": {"not_after": "2026-06-01T00:00:00Z", "subject_alternative_names": ` + names + `}}}]`
	}
	plan := func(version, errored, changes string) string {
		return fmt.Sprintf(`{"format_version": %q, "errored": %s, "planned_values": {}, "resource_changes": %s}`, version, errored, changes)
	}
	program, policy, script := policyProgram(t), "../../examples/guides/gitops/gate.rego", "../../examples/guides/gitops/gate.sh"
	for name, test := range map[string]struct {
		plan   string
		passes bool
	}{
		"no change":               {plan("1.2", "false", "[]"), true},
		"in the form of HCP":      {`{"plan": ` + plan("1.2", "false", "[]") + `}`, true},
		"renewed":                 {plan("1.2", "false", certificate(`{"dns_names": ["a.example.com"], "ips": []}`)), true},
		"names that nobody knows": {plan("1.2", "false", certificate("null")), false},
		"no names":                {plan("1.2", "false", certificate(`{"dns_names": [], "ips": []}`)), false},
		"another format":          {plan("2.0", "false", "[]"), false},
		"errored":                 {plan("1.2", "true", "[]"), false},
		"an unknown action":       {plan("1.2", "false", `[{"address": "a", "type": "a", "change": {"actions": ["forget", "annul"]}}]`), false},
		"no actions":              {plan("1.2", "false", `[{"address": "a", "type": "a", "change": {}}]`), false},
		"nothing known": {plan("1.2", "false", `[{"address": "tunnel_ssh_credential.a", "type": "tunnel_ssh_credential", "name": "a", "change": {
			"actions": ["create"], "before": null, "after": {}, "after_unknown": {"acl": true, "public_key": true}}}]`), false},
		"changes are no list": {plan("1.2", "false", `"x"`), false},
		"all is unknown":      {plan("1.2", "false", `[{"address": "a", "type": "a", "change": {"actions": ["create"], "after_unknown": true}}]`), false},
		"no plan":             {"{}", false},
		"no object":           {"[]", false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			file := func(name, text string) string {
				name = filepath.Join(folder, name)
				if err := os.WriteFile(name, []byte(text), 0o700); err != nil { //nolint:gosec // one of them is a program
					t.Fatal(err)
				}
				return name
			}
			saved := file("plan.json", test.plan)
			out, err := exec.CommandContext(t.Context(), program, policy, saved, file("data.json", "{}")).CombinedOutput()
			if passes := err == nil && len(out) == 0; passes != test.passes {
				t.Errorf("gate.rego passes: %t (%v)\n%s", passes, err, out)
			}
			if strings.HasPrefix(test.plan, `{"plan"`) {
				return
			}
			file("terraform", "#!/bin/sh\ncat "+saved)
			gate := exec.CommandContext(t.Context(), "sh", script, saved)
			gate.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
			if out, err := gate.CombinedOutput(); (err == nil) != test.passes {
				t.Errorf("gate.sh passes: %t\n%s", err == nil, out)
			}
		})
	}
}
