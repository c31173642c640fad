package main

import (
	"os"
	"testing"
)

// TestMutants_findsTheMissingTest tries a package of which one condition and one
// statement have no test.
func TestMutants_findsTheMissingTest(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n",
		"m.go":   "package m\n\nvar done = make(chan int, 9)\n\nfunc Grade(n int) (s string) {\n\tdone <- n\n\t<-done\n\tif n > 0 && n < 10 {\n\t\ts = \"few\"\n\t}\n\treturn s\n}\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestGrade(t *testing.T) {\n" +
			"\tif Grade(1) != \"few\" || Grade(0) != \"\" {\n\t\tt.Fatal()\n\t}\n}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if alive, err := run("./", []string{"./"}, "", 1); alive != 2 || err != nil {
		t.Errorf("%d changes live, %v; want 2", alive, err)
	}
}
