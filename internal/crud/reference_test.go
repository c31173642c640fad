package crud

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

func TestCheckPrefix_namesTheOtherKind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id       string
		expected []*api.Kind
		want     string
	}{
		{"edghts_2abc", []*api.Kind{api.HTTPSEdgeKind}, ""},
		{"edghtsrt_2abc", []*api.Kind{api.HTTPSEdgeKind}, "begins with edghtsrt_, the prefix of an HTTPS edge route; expected the ID of an HTTPS edge"},
		{"usr_2abc", []*api.Kind{api.FailoverBackendKind, api.GroupBackendKind, api.HTTPResponseBackendKind}, "expected the ID of a failover backend, a tunnel group backend or an HTTP response backend"},
		{"bkdtg_2abc", []*api.Kind{api.FailoverBackendKind, api.GroupBackendKind, api.HTTPResponseBackendKind}, ""},
		{"bkdgt_2abc", []*api.Kind{api.GroupBackendKind}, "begins with bkdgt_; the IDs of tunnel group backends usually begin with bkdtg_"},
		{"BKDTG_2abc", []*api.Kind{api.GroupBackendKind}, "usually begin with bkdtg_"},
		// Ids are opaque: another prefix proves nothing.
		{"bkdxx_2abc", []*api.Kind{api.FailoverBackendKind}, ""},
		{"12345", []*api.Kind{api.FailoverBackendKind}, ""},
		{"", []*api.Kind{api.FailoverBackendKind}, ""},
	} {
		err := checkPrefix(test.id, test.expected)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%q: found %v, want %q", test.id, err, test.want)
		}
	}
}
