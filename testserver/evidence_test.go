package testserver

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

var update = flag.Bool("update", false, "rewrite "+evidenceFile)

// evidenceFile is the table that docs/evidence.md describes.
const evidenceFile = "testdata/evidence.md"

const tableHead = "| Route | Fields | Variants | Quirks | Faults | Clients | Verified |\n|---|---|---|---|---|---|---|\n"

// TestEvidence measures what the tests cover for each route, and compares it
// with the table in evidenceFile. With -update, it rewrites the table.
func TestEvidence_tableIsUpToDate(t *testing.T) {
	t.Run("clients", func(t *testing.T) {
		for name, test := range clientTests {
			t.Run(name, test)
		}
	})
	all := allVariants(t)
	if failed := all.Differences(); len(failed) > 0 {
		t.Fatalf("%d variants fail, see TestConformance_allVariants", len(failed))
	}
	variants := all.Variants()
	table, total := tableHead, [5]int{}
	for _, route := range slices.Sorted(maps.Keys(document().Paths.Map())) {
		row := [5]int{len(all.Members[route]), variants[route], len(quirksOf(t, route)), faultsOf(t, route), clientRequests.count(route) + all.Clients[route]}
		for i, n := range row {
			total[i] += n
		}
		table += tableRow("`"+route+"`", row, verified(t, "testdata/verified", route))
	}
	table += tableRow("Total", total, "")

	content, err := os.ReadFile(evidenceFile)
	if err != nil {
		t.Fatal(err)
	}
	old := string(content)
	for route, row := range rowsOf(old) {
		for i, n := range rowsOf(table)[route] {
			if n < row[i] {
				t.Errorf("%s: column %d fell from %d to %d", route, i+1, row[i], n)
			}
		}
	}
	if *update {
		if err := os.WriteFile(evidenceFile, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table {
		t.Errorf("%s is out of date: run this test with -update. It should be\n%s", evidenceFile, table)
	}
}

func tableRow(name string, numbers [5]int, verified string) string {
	row := fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", name, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
	if verified != "" {
		verified = " " + verified
	}
	return row + verified + " |\n"
}

// verified returns how many of the rules of a route that were tried agree with each
// service of which folder has a JSON report of verify.
func verified(t *testing.T, folder, route string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var services []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var report struct{ Results []conformance.Result }
		if err := json.Unmarshal(content, &report); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		count := map[conformance.Status]int{}
		for _, result := range report.Results {
			if result.Route == route {
				count[result.Status]++
			}
		}
		if tried := count[conformance.Agrees] + count[conformance.Differs]; tried > 0 {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			services = append(services, fmt.Sprintf("%s: %d of %d", name, count[conformance.Agrees], tried))
		}
	}
	return strings.Join(services, ", ")
}

// TestEvidence_verifiedServices counts the rules of two reports.
func TestEvidence_verifiedServices(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, report := range map[string]string{
		"one": `{"results":[{"route":"/a","status":"agrees"},{"route":"/a","status":"differs"},{"route":"/a","status":"not tried"},{"route":"/b","status":"agrees"}]}`,
		"two": `{"results":[{"route":"/a","status":"agrees"},{"route":"/c","status":"not tried"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name+".json"), []byte(report), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for route, want := range map[string]string{"/a": "one: 1 of 2, two: 1 of 1", "/b": "one: 1 of 1", "/c": ""} {
		equal(t, route, verified(t, folder, route), want)
	}
}

// rowsOf returns the numbers of a table by route.
func rowsOf(table string) map[string][5]int {
	rows := map[string][5]int{}
	for line := range strings.Lines(strings.TrimPrefix(table, tableHead)) {
		cells := strings.Split(line, " | ")
		row := [5]int{}
		for i := range row {
			if len(cells) > i+1 {
				row[i], _ = strconv.Atoi(strings.Trim(cells[i+1], " |\n"))
			}
		}
		rows[cells[0]] = row
	}
	return rows
}

// shapes are the different requests of clients by route. Requests with the same
// members are the same, if the same members are null or empty.
type shapes struct {
	mutex  sync.Mutex
	routes map[string]map[string]bool
}

var clientRequests = shapes{routes: map[string]map[string]bool{}}

// startForClients starts a server and records the requests that it accepts.
func startForClients(t *testing.T, options ...Option) *Server {
	t.Helper()
	s := Start(t, options...)
	t.Cleanup(func() {
		for _, r := range s.Requests() {
			if r.Status >= 200 && r.Status < 300 {
				clientRequests.add(r)
			}
		}
	})
	return s
}

func (c *shapes) add(r Request) {
	var members map[string]any
	_ = json.Unmarshal(r.RequestBody, &members) // no body has no members
	shape := r.Method
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch value := members[name]; value {
		case nil, "":
			shape += " " + name + "=" + asJSON(value)
		default:
			shape += " " + name
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.routes[r.Pattern] == nil {
		c.routes[r.Pattern] = map[string]bool{}
	}
	c.routes[r.Pattern][shape] = true
}

func (c *shapes) count(route string) int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.routes[route])
}
