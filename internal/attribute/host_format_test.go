package attribute

import "testing"

func TestHost_comparedByMeaning(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		same func(a, b string) bool
		a, b string
		want bool
	}{
		{hostport{}.Same, "WWW.Example.com:443", "www.example.COM:443", true},
		{hostport{}.Same, "*.Example.com:443", "*.example.com:443", true},
		{hostport{}.Same, "[2001:DB8:0::1]:443", "[2001:db8::1]:443", true},
		{hostport{}.Same, "[2001:db8::1]:443", "[2001:db8::1]:444", false},
		{hostport{}.Same, "[2001:db8::1]:443", "[2001:db8::2]:443", false},
		{hostport{}.Same, "2001:db8::1]:443", "[2001:db8::1]:443", false},
		{hostport{}.Same, "[::ffff:192.0.2.1]:443", "192.0.2.1:443", false},
		{hostport{}.Same, "a.example.com:443", "b.example.com:443", false},
		{principal{}.Same, "Bastion", "bastion", true},
		{principal{}.Same, "2001:DB8:0::1", "2001:db8::1", true},
		{principal{}.Same, "2001:db8::1", "2001:db8::2", false},
		{aclRule{}.Same, "bind:Example.com", "bind:example.com", true},
		{aclRule{}.Same, "bind:*.Example.com", "bind:*.example.com", true},
		{aclRule{}.Same, "bind:Example.com:443", "bind:example.com:443", true},
		{aclRule{}.Same, "bind:[2001:DB8:0::1]:443", "bind:[2001:db8::1]:443", true},
		{aclRule{}.Same, "bind:Team=red", "bind:team=red", false},
		{aclRule{}.Same, "bind:team=Red", "bind:team=red", false},
		{aclRule{}.Same, "bind:*", "*", false},
		{aclRule{}.Same, "Bind:a", "bind:a", false},
	} {
		if test.same(test.a, test.b) != test.want || test.same(test.b, test.a) != test.want {
			t.Errorf("%s and %s: want the same meaning: %v", test.a, test.b, test.want)
		}
	}
}
