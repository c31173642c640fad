package attribute

import "testing"

func TestHostport_accepted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"www.example.com:443", "*.example.com:443", "192.0.2.1:22", "[2001:db8::1]:65535", "1.tcp.example.com:20001"} {
		if err := CheckHostport(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestHostport_refused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", ":443", "www.example.com", "www.example.com:", "www.example.com:0", "www.example.com:65536", "www.example.com:443/", "2001:db8::1:443", "https://www.example.com:443", "a b:443", "*:443", "*.[::1]:443", "*.192.0.2.1:443"} {
		if CheckHostport(text) == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
