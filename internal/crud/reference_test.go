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
		{"edghts_2abc", []*api.Kind{api.HTTPSEdges.Kind}, ""},
		{"edghtsrt_2abc", []*api.Kind{api.HTTPSEdges.Kind}, "begins with edghtsrt_, the prefix of an HTTPS edge route; expected the ID of an HTTPS edge"},
		{"usr_2abc", []*api.Kind{api.FailoverBackends.Kind, api.GroupBackends.Kind, api.HTTPResponseBackends.Kind}, "expected the ID of a failover backend, a tunnel group backend or an HTTP response backend"},
		{"bkdtg_2abc", []*api.Kind{api.FailoverBackends.Kind, api.GroupBackends.Kind, api.HTTPResponseBackends.Kind}, ""},
		{"bkdgt_2abc", []*api.Kind{api.GroupBackends.Kind}, "begins with bkdgt_; the IDs of tunnel group backends usually begin with bkdtg_"},
		{"BKDTG_2abc", []*api.Kind{api.GroupBackends.Kind}, "usually begin with bkdtg_"},
		// Ids are opaque: another prefix proves nothing.
		{"bkdxx_2abc", []*api.Kind{api.FailoverBackends.Kind}, ""},
		{"12345", []*api.Kind{api.FailoverBackends.Kind}, ""},
		{"", []*api.Kind{api.FailoverBackends.Kind}, ""},
	} {
		err := checkPrefix(test.id, test.expected)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%q: found %v, want %q", test.id, err, test.want)
		}
	}
}
