package conformance

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// probeLimit decides what a 429 contains, if the service sent one.
func probeLimit(run *Run, f *findings) {
	if run.config.RetryAfter == nil {
		return
	}
	f.unknown["no_retry_after"] = notLimited
	if limited, given := run.config.RetryAfter(); limited {
		f.decide("no_retry_after", !given)
	}
}

// probes decide the open points, in an order in which later ones know what hides them.
var probes = []struct {
	names []string
	probe func(*Run, *findings) error
}{
	{[]string{"error_code_absent", "error_details_absent", "error_details_null", "forbidden_403"}, probeErrors},
	{[]string{
		"text_trimmed", "newline_added", "newline_dropped", "description_generated", "never_set_empty", "null_where_absent",
		"unknown_fields",
	}, probeTexts},
	{[]string{
		"informative_number", "informative_object", "informative_null", "uri_other_host",
		"tunnels_strings", "tunnels_numbers", "tunnels_objects", "tunnels_mixed",
	}, probeInformative},
	{[]string{
		"patch_204", "patch_empty", "patch_part_id", "patch_part_sent", "patch_labels_null", "patch_keeps_empty",
		"empty_absent", "empty_body_accepted",
	}, probePatch},
	{[]string{"backends_kept", "empty_list_null", "empty_list_absent"}, probeBackends},
	{[]string{"list_oldest_first", "list_small_pages"}, probeLists},
	{[]string{"unset_module_null", "unset_module_object", "unset_module_delete_404"}, probeModules},
	{[]string{"route_description_clears"}, probeRoute},
	{[]string{"labels_lower", "header_names_canonical"}, probePairs},
	{[]string{"acl_lower", "acl_upper", "acl_swapped", "credential_key_as_sent"}, probeCredential},
	{[]string{
		"principals_lower", "principals_upper", "ipv6_expanded", "ipv6_compressed", "valid_until_capped", "times_offset",
		"times_fraction", "times_milliseconds", "times_vary", "sets_shuffled", "key_newline_vary",
	}, probeCertificate},
	{[]string{"chain_leaf"}, probeChain},
	{[]string{"hostports_lower", "hostports_upper"}, probeHostports},
	{[]string{"domain_lower", "domain_upper", "domain_dot"}, probeDomain},
	{[]string{"cidr_masked"}, probeRange},
	{[]string{"secrets_masked"}, probeDestination},
	{[]string{
		"name_generated", "cel_trimmed", "cel_spaces", "cel_requoted", "cel_parenthesized", "config_nulls_dropped",
		"config_ipv6_compressed", "config_default_added", "config_number_rounded", "deny_config_refused",
	}, probePolicy},
}

const tunnelGroups = "/backends/tunnel_group"

// object makes an object, and returns its path and what a GET returns.
func (run *Run) object(route string, members map[string]any) (string, map[string]any, error) {
	id, _, err := run.make(route, route, members)
	if err != nil {
		return "", nil, err
	}
	path := route + "/" + id
	got, err := run.read(path, route+"/{id}")
	return path, got, err
}

// read returns the object at a path.
func (run *Run) read(path, route string) (map[string]any, error) {
	got, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route})
	if err == nil && got.status != http.StatusOK {
		err = fmt.Errorf("GET %s: status %d", route, got.status)
	}
	return got.body, err
}

// write sends a request with a body, which can be nil.
func (run *Run) write(method, path, route string, members any) (answer, error) {
	got, err := run.exchange(testCase{method: method, path: path, route: route, body: members})
	if err == nil && got.status >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: status %d", method, route, got.status)
	}
	return got, err
}

func textOf(members map[string]any, name string) string {
	text, _ := members[name].(string)
	return text
}

// textsOf returns the strings of a list.
func textsOf(members map[string]any, name string) []string {
	list, _ := members[name].([]any)
	var texts []string
	for _, value := range list {
		if text, ok := value.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// cases decides whether a text that was sent in mixed case is in lower or upper case.
func (f *findings) cases(found []string, sent, lower, upper string) error {
	i := slices.IndexFunc(found, func(text string) bool { return strings.EqualFold(strings.TrimRight(text, ".\n"), sent) })
	if i < 0 {
		return fmt.Errorf("the text %s did not come back", sent)
	}
	text := strings.TrimRight(strings.TrimPrefix(found[i], "bind:"), ".\n")
	host := strings.TrimPrefix(sent, "bind:")
	isUpper, isLower, isSame := text == strings.ToUpper(host), text == strings.ToLower(host), text == host
	f.either(upper, isUpper, isLower || isSame, text)
	f.either(lower, isLower, isSame, text)
	if isUpper {
		f.hidden(upper, lower)
		delete(f.has, lower)
	}
	return nil
}

func probeErrors(run *Run, f *findings) error {
	got, err := run.exchange(testCase{method: http.MethodGet, path: tunnelGroups + "/unknown", route: tunnelGroups})
	if err != nil {
		return err
	}
	if got.status < http.StatusBadRequest || got.body == nil {
		return fmt.Errorf("an unknown id is answered with %d, and not with a JSON object", got.status)
	}
	_, code := got.body["error_code"]
	details, there := got.body["details"]
	f.decide("error_code_absent", !code)
	f.decide("error_details_absent", !there)
	f.maybe("error_details_null", there && details == nil, "error_details_absent")
	wrong := testCase{method: http.MethodGet, path: tunnelGroups, route: tunnelGroups, change: func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer unknown")
	}}
	if got, err = run.exchange(wrong); err != nil {
		return err
	}
	if got.status != http.StatusUnauthorized && got.status != http.StatusForbidden {
		return fmt.Errorf("an unknown key is answered with %d", got.status)
	}
	f.decide("forbidden_403", got.status == http.StatusForbidden)
	return nil
}

func probeTexts(run *Run, f *findings) error {
	mark := run.config.Mark
	_, spaced, err := run.object(tunnelGroups, map[string]any{"metadata": " " + mark + " "})
	if err != nil {
		return err
	}
	found := textOf(spaced, "metadata")
	stored := strings.TrimRight(found, "\n")
	f.either("text_trimmed", stored == mark, stored == " "+mark+" ", found)
	_, plain, err := run.object(tunnelGroups, map[string]any{"metadata": mark})
	if err != nil {
		return err
	}
	f.decide("newline_added", strings.HasSuffix(textOf(plain, "metadata"), "\n"))
	f.decide("description_generated", textOf(plain, "description") != "")
	_, lines, err := run.object(tunnelGroups, map[string]any{"metadata": mark + "\n\n"})
	if err != nil {
		return err
	}
	f.maybe("newline_dropped", !strings.HasSuffix(textOf(lines, "metadata"), "\n\n"), "text_trimmed")
	_, bare, err := run.object(tunnelGroups, map[string]any{"description": mark})
	if err != nil {
		return err
	}
	value, there := bare["metadata"]
	f.decide("never_set_empty", value == "")
	f.maybe("null_where_absent", there && value == nil, "never_set_empty")
	known := run.config.Document.Response(tunnelGroups+"/{id}", http.MethodGet, http.StatusOK).Value.Properties
	unknown := false
	for name := range bare {
		unknown = unknown || known[name] == nil
	}
	f.decide("unknown_fields", unknown)
	return nil
}

func probeInformative(run *Run, f *findings) error {
	_, got, err := run.object(tunnelGroups, map[string]any{"metadata": run.config.Mark})
	if err != nil {
		return err
	}
	uri, there := got["uri"]
	f.decide("informative_null", there && uri == nil)
	wrapped, isObject := uri.(map[string]any)
	f.maybe("informative_object", isObject, "informative_null")
	if isObject {
		uri = wrapped["value"]
	}
	_, isNumber := uri.(float64)
	f.maybe("informative_number", isNumber, "informative_null")
	if address, isText := uri.(string); isText {
		mine, _ := url.Parse(run.config.Base)
		its, err := url.Parse(address)
		f.either("uri_other_host", err == nil && its.Host != "" && its.Host != mine.Host, err == nil && its.Host == mine.Host, address)
	} else {
		f.hidden("the form of uri", "uri_other_host")
	}
	probeTunnels(got, f)
	return nil
}

// probeTunnels decides which of the forms of tunnels, of which the last one shows, a
// new object has.
func probeTunnels(got map[string]any, f *findings) {
	forms := []string{"tunnels_strings", "tunnels_numbers", "tunnels_objects", "tunnels_mixed"}
	entries, _ := got["tunnels"].([]any)
	shown := -1
	kinds := map[string]int{}
	for _, entry := range entries {
		switch entry.(type) {
		case string:
			kinds["tunnels_strings"]++
		case float64:
			kinds["tunnels_numbers"]++
		case map[string]any:
			kinds["tunnels_objects"]++
		default:
			kinds["tunnels_mixed"]++
		}
	}
	for i, form := range forms {
		if kinds[form] > 0 {
			shown = i
		}
	}
	for i, form := range forms {
		if i < shown {
			f.hidden(forms[shown], form)
		} else {
			f.decide(form, i == shown)
		}
	}
}

func probePatch(run *Run, f *findings) error {
	mark := run.config.Mark
	route := tunnelGroups + "/{id}"
	members := map[string]any{"description": mark, "metadata": mark, "labels": map[string]any{"a": "b"}}
	path, _, err := run.object(tunnelGroups, members)
	if err != nil {
		return err
	}
	got, err := run.write(http.MethodPatch, path, route, map[string]any{"metadata": mark + "2"})
	if err != nil {
		return err
	}
	has := func(name string) bool { _, there := got.body[name]; return there }
	f.decide("patch_empty", got.status != http.StatusNoContent && len(got.raw) == 0)
	f.maybe("patch_204", got.status == http.StatusNoContent, "patch_empty")
	f.maybe("patch_part_id", !has("labels") && !has("metadata"), "patch_204", "patch_empty")
	f.maybe("patch_part_sent", !has("labels") && has("metadata"), "patch_204", "patch_empty", "patch_part_id")
	f.maybe("patch_labels_null", got.body["labels"] == nil, "patch_204", "patch_empty", "patch_part_id", "patch_part_sent")
	if _, err = run.write(http.MethodPatch, path, route, map[string]any{"metadata": ""}); err != nil {
		return err
	}
	cleared, err := run.read(path, route)
	if err != nil {
		return err
	}
	kept := textOf(cleared, "metadata")
	stores := strings.TrimSpace(kept) == mark+"2" // else the PATCH before did nothing
	f.either("patch_keeps_empty", stores, strings.TrimSpace(kept) == "", kept)
	value, there := cleared["metadata"]
	f.maybe("empty_absent", !there || value == nil, "patch_keeps_empty", "never_set_empty")
	empty, err := run.exchange(testCase{method: http.MethodPatch, path: path, route: route})
	f.decide("empty_body_accepted", empty.status != 0 && empty.status < http.StatusMultipleChoices)
	return err
}
