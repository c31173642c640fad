package conformance

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

func probeBackends(run *Run, f *findings) error {
	const route = "/backends/failover"
	mark := run.config.Mark
	child := run.shared(otherBackends, 0)
	path, _, err := run.object(route, map[string]any{"metadata": mark, "backends": []any{child}})
	if err != nil {
		return err
	}
	if _, err := run.write(http.MethodPatch, path, route+"/{id}", map[string]any{"description": mark}); err != nil {
		return err
	}
	got, err := run.read(path, route+"/{id}")
	if err != nil {
		return err
	}
	f.maybe("backends_kept", slices.Contains(textsOf(got, "backends"), child), "patch_keeps_empty")
	_, empty, err := run.object(route, map[string]any{"metadata": mark})
	if err != nil {
		return err
	}
	value, there := empty["backends"]
	f.maybe("empty_list_absent", !there, "null_where_absent")
	f.maybe("empty_list_null", there && value == nil, "null_where_absent", "empty_list_absent")
	return nil
}

// maxProbePages is how many pages of a list are read to find the objects of a probe.
const maxProbePages = 200

func probeLists(run *Run, f *findings) error {
	var ids []string
	for range 5 {
		id, _, err := run.make(otherBackends, otherBackends, map[string]any{"metadata": run.config.Mark})
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	query, found := "limit=100", []string{}
	for page := range maxProbePages {
		list, err := run.exchange(testCase{method: http.MethodGet, path: otherBackends, route: otherBackends, change: func(r *http.Request) {
			r.URL.RawQuery = query
		}})
		if err != nil {
			return err
		}
		elements, _ := list.body["backends"].([]any)
		next := textOf(list.body, "next_page_uri")
		if page == 0 {
			f.decide("list_small_pages", len(elements) < len(ids) && next != "")
		}
		for _, element := range elements {
			members, _ := element.(map[string]any)
			if slices.Contains(ids, textOf(members, "id")) {
				found = append(found, textOf(members, "id"))
			}
		}
		address, err := url.Parse(next)
		if len(found) == len(ids) || err != nil || address.RawQuery == "" {
			break
		}
		query = address.RawQuery
	}
	if len(found) != len(ids) {
		return fmt.Errorf("the list shows %d of %d new objects", len(found), len(ids))
	}
	newest := slices.Clone(ids)
	slices.Reverse(newest)
	f.either("list_oldest_first", slices.Equal(found, ids), slices.Equal(found, newest), "another order")
	return nil
}

func probeModules(run *Run, f *findings) error {
	const route = "/edges/tls"
	path, _, err := run.object(route, map[string]any{"metadata": run.config.Mark})
	if err != nil {
		return err
	}
	got, err := run.exchange(testCase{method: http.MethodGet, path: path + "/policy", route: route + "/{id}/policy"})
	if err != nil {
		return err
	}
	isSet := got.body["enabled"] != nil
	f.decide("unset_module_null", got.status == http.StatusOK && strings.TrimSpace(string(got.raw)) == "null")
	f.maybe("unset_module_object", got.status == http.StatusOK && got.body != nil && !isSet, "unset_module_null")
	got, err = run.exchange(testCase{method: http.MethodDelete, path: path + "/policy", route: route + "/{id}/policy"})
	if err == nil {
		f.decide("unset_module_delete_404", got.status == http.StatusNotFound)
	}
	return err
}

func probeRoute(run *Run, f *findings) error {
	const edges = "/edges/https"
	const route = edges + "/{edge_id}/routes"
	mark := run.config.Mark
	edge, _, err := run.object(edges, map[string]any{"metadata": mark})
	if err != nil {
		return err
	}
	members := map[string]any{"match": "/" + mark, "match_type": "exact_path", "description": mark, "metadata": mark}
	id, _, err := run.make(route, edge+"/routes", members)
	if err != nil {
		return err
	}
	path := edge + "/routes/" + id
	if _, err := run.write(http.MethodPatch, path, route+"/{id}", map[string]any{"metadata": mark}); err != nil {
		return err
	}
	got, err := run.read(path, route+"/{id}")
	if err == nil {
		f.decide("route_description_clears", !strings.Contains(textOf(got, "description"), mark))
	}
	return err
}

func probePairs(run *Run, f *findings) error {
	mark := run.config.Mark
	_, group, err := run.object(tunnelGroups, map[string]any{"metadata": mark, "labels": map[string]any{"TeAm": "ReD"}})
	if err != nil {
		return err
	}
	labels, _ := group["labels"].(map[string]any)
	f.either("labels_lower", labels["team"] == "red", labels["TeAm"] == "ReD", labels)
	_, response, err := run.object(otherBackends, map[string]any{"metadata": mark, "headers": map[string]any{"x-test": "a"}})
	if err != nil {
		return err
	}
	headers, _ := response["headers"].(map[string]any)
	f.either("header_names_canonical", headers["X-Test"] != nil, headers["x-test"] != nil, headers)
	return nil
}

func probeCredential(run *Run, f *findings) error {
	const route = "/ssh_credentials"
	const rule = "bind:MiXed.example.com"
	mixed := run.smallest(route)
	mixed["acl"] = []any{rule}
	_, got, err := run.object(route, mixed)
	if err != nil {
		return err
	}
	if err := f.cases(textsOf(got, "acl"), rule, "acl_lower", "acl_upper"); err != nil {
		return err
	}
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	pkix, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return err
	}
	all := run.smallest(route)
	all["public_key"], all["acl"] = block("PUBLIC KEY", pkix), []any{"*"}
	if _, got, err = run.object(route, all); err != nil {
		return err
	}
	rules := textsOf(got, "acl")
	f.either("acl_swapped", len(rules) == 0, slices.Equal(rules, []string{"*"}), got["acl"])
	f.decide("credential_key_as_sent", strings.Contains(textOf(got, "public_key"), "BEGIN"))
	return nil
}

// manyReads is how often an object is read that may vary from response to response.
const manyReads = 6

func probeCertificate(run *Run, f *findings) error {
	const route = "/ssh_host_certificates"
	const host = "HoSt.example.com"
	const year = 365 * 24 * time.Hour
	sent := []any{host, "2001:db8::1", "2001:0db8::2", "a.example.com", "b.example.com", "c.example.com", "d.example.com"}
	begin := time.Now().UTC().Truncate(time.Second)
	members := run.smallest(route)
	members["principals"] = sent
	members["valid_after"], members["valid_until"] = begin.Format(time.RFC3339), begin.Add(year).Format(time.RFC3339)
	path, got, err := run.object(route, members)
	if err != nil {
		return err
	}
	principals := textsOf(got, "principals")
	if err := f.cases(principals, host, "principals_lower", "principals_upper"); err != nil {
		return err
	}
	shows := func(text string) bool {
		return slices.ContainsFunc(principals, func(p string) bool { return strings.EqualFold(p, text) })
	}
	f.decide("ipv6_compressed", shows("2001:db8::2"))
	f.maybe("ipv6_expanded", shows("2001:0db8:0000:0000:0000:0000:0000:0001"), "ipv6_compressed")
	until, err := time.Parse(time.RFC3339, textOf(got, "valid_until"))
	if err != nil {
		return fmt.Errorf("valid_until: %w", err)
	}
	f.decide("valid_until_capped", until.Before(begin.Add(year)))

	var times, keys []string
	shuffled := false
	for range manyReads {
		if got, err = run.read(path, route+"/{id}"); err != nil {
			return err
		}
		times = append(times, textOf(got, "valid_after"))
		keys = append(keys, textOf(got, "certificate"))
		for i, principal := range textsOf(got, "principals") {
			is6 := strings.HasPrefix(principal, "2001")
			was, _ := sent[min(i, len(sent)-1)].(string)
			shuffled = shuffled || is6 != strings.HasPrefix(was, "2001") || !is6 && !strings.EqualFold(principal, was)
		}
	}
	f.decide("sets_shuffled", shuffled)
	all := func(has func(string) bool) bool {
		return !slices.ContainsFunc(times, func(text string) bool { return !has(text) })
	}
	f.decide("times_offset", all(func(text string) bool { return strings.HasSuffix(text, "+05:30") }))
	f.decide("times_milliseconds", all(func(text string) bool {
		at, err := time.Parse(time.RFC3339, text)
		return err == nil && at.Nanosecond() != 0
	}))
	zeros := all(func(text string) bool {
		return strings.Contains(text, ".000000") && !strings.Contains(text, ".0000000")
	})
	f.maybe("times_fraction", zeros, "times_milliseconds")
	f.maybe("times_vary", len(slices.Compact(slices.Sorted(slices.Values(times)))) > 1, "times_offset")
	vary := len(slices.Compact(slices.Sorted(slices.Values(keys)))) > 1
	f.maybe("key_newline_vary", vary, "newline_added", "newline_dropped")
	return nil
}

func probeChain(run *Run, f *findings) error {
	chain, key := issuedChain()
	_, got, err := run.object("/tls_certificates", map[string]any{
		"metadata": run.config.Mark, "certificate_pem": chain, "private_key_pem": key,
	})
	if err == nil {
		f.decide("chain_leaf", strings.Count(textOf(got, "certificate_pem"), "BEGIN CERTIFICATE") == 1)
	}
	return err
}

func probeHostports(run *Run, f *findings) error {
	const address = "MiXed.example.com:443"
	_, got, err := run.object("/edges/tls", map[string]any{"metadata": run.config.Mark, "hostports": []any{address}})
	if err != nil {
		return err
	}
	return f.cases(textsOf(got, "hostports"), address, "hostports_lower", "hostports_upper")
}

func probeDomain(run *Run, f *findings) error {
	name := "MiXed." + run.samples.next("d%d.") + run.config.Mark + ".example.com"
	_, got, err := run.object("/reserved_domains", map[string]any{"metadata": run.config.Mark, "domain": name})
	if err != nil {
		return err
	}
	domain := textOf(got, "domain")
	f.decide("domain_dot", strings.HasSuffix(domain, "."))
	return f.cases([]string{domain}, name, "domain_lower", "domain_upper")
}

func probeRange(run *Run, f *findings) error {
	const within = "192.0.2.7/24"
	members := map[string]any{"metadata": run.config.Mark, "ip_policy_id": run.shared("/ip_policies", 0), "action": "allow", "cidr": within}
	_, got, err := run.object("/ip_policy_rules", members)
	if err == nil {
		f.decide("cidr_masked", textOf(got, "cidr") == rangeOf(within))
	}
	return err
}

// isMask reports whether a value hides a text, or is empty instead of it.
func isMask(value any) bool {
	masked, isText := value.(string)
	return isText && strings.Trim(masked, "*x•.") == ""
}

func probeDestination(run *Run, f *findings) error {
	_, got, err := run.object("/event_destinations", map[string]any{
		"metadata": run.config.Mark, "target": map[string]any{"datadog": map[string]any{"api_key": run.config.Mark}},
	})
	if err != nil {
		return err
	}
	target, _ := got["target"].(map[string]any)
	datadog, _ := target["datadog"].(map[string]any)
	key := datadog["api_key"]
	f.either("secrets_masked", isMask(key), key == nil, key)
	return nil
}
