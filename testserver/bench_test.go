package testserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// benchmarkGet sends GET requests over HTTP in parallel. path returns the path
// of each request.
func benchmarkGet(b *testing.B, objects int, path func(ids []string, i int) string) {
	s := New()
	ids := s.SeedSSHCredentials(objects)
	listener := httptest.NewServer(s)
	defer listener.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			r, err := http.NewRequest(http.MethodGet, listener.URL+path(ids, i), nil)
			if err != nil {
				b.Error(err)
				return
			}
			r.Header.Set("Authorization", "Bearer "+s.AdminKey)
			r.Header.Set("Service-Version", "2")
			response, err := client.Do(r)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
			if response.StatusCode != http.StatusOK {
				b.Errorf("status %d", response.StatusCode)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

func one(ids []string, i int) string { return "/ssh_credentials/" + ids[i*7919%len(ids)] }
func listPage(ids []string, i int) string {
	return "/ssh_credentials?before_id=" + ids[i*7919%len(ids)]
}

func BenchmarkGetOneOf1000(b *testing.B)     { benchmarkGet(b, 1_000, one) }
func BenchmarkGetOneOf100000(b *testing.B)   { benchmarkGet(b, 100_000, one) }
func BenchmarkListPageOf1000(b *testing.B)   { benchmarkGet(b, 1_000, listPage) }
func BenchmarkListPageOf100000(b *testing.B) { benchmarkGet(b, 100_000, listPage) }
