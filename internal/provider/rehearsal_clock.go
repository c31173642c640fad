package provider

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// rehearsalClockVariable is the environment variable with which the provider uses the
// time of a test server on this machine.
const rehearsalClockVariable = "TUNNEL_REHEARSAL_CLOCK"

// clock returns the clock of the provider: the given one or, for a rehearsal, the time of
// the service when Terraform configures the provider. A service that is not on this
// machine is real, so the variable has no effect there.
func clock(ctx context.Context, base *url.URL, secured *tls.Config, now func() time.Time, diags *diag.Diagnostics) func() time.Time {
	switch {
	case !boolVariable(rehearsalClockVariable, diags):
		return now
	case !api.Loopback(base.Hostname()):
		diags.AddWarning(rehearsalClockVariable+" has no effect", "The environment variable "+rehearsalClockVariable+
			" is set, but base_url is not a loopback address, so the provider uses the current time. Remove the variable: it is only for "+
			"rehearsals with a test server on this machine.")
		return now
	}
	at, err := timeOf(ctx, base, secured)
	if err != nil {
		diags.AddError("Could not read the time of the service", "The environment variable "+rehearsalClockVariable+
			" is set, so the provider uses the time of the service, in the Date header of its responses: "+err.Error()+". Remove the "+
			"variable to use the current time.")
		return now
	}
	diags.AddWarning("Rehearsal at "+attribute.Date(at), "The provider uses "+attribute.Date(at)+
		", the time of the service, instead of the current time, because the environment variable "+rehearsalClockVariable+" is set.")
	return func() time.Time { return at }
}

// timeOf returns the time in the Date header of a service. The request contains no key.
func timeOf(ctx context.Context, base *url.URL, secured *tls.Config) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, api.DefaultRequestTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String(), nil)
	if err != nil {
		return time.Time{}, err
	}
	transport := http.Transport{TLSClientConfig: secured} // without a proxy: the service is on this machine
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return time.Time{}, err
	}
	_ = response.Body.Close()
	return http.ParseTime(response.Header.Get("Date"))
}
