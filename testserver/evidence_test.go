package testserver

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the evidence table in README.md")

const tableHead = "| Route | Fields | Variants | Quirks | Faults | Clients |\n|---|---|---|---|---|---|\n"

// TestEvidence measures what the tests cover for each route, and compares it
// with the table in README.md. With -update, it rewrites the table.
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
		table += tableRow("`"+route+"`", row)
	}
	table += tableRow("Total", total)

	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(readme), tableHead)
	old := tableHead + regexp.MustCompile(`^(\|.*\n)*`).FindString(rest)
	if !found {
		t.Fatalf("README.md has no table that begins with\n%s", tableHead)
	}
	for route, row := range rowsOf(old) {
		for i, n := range rowsOf(table)[route] {
			if n < row[i] {
				t.Errorf("%s: column %d fell from %d to %d", route, i+1, row[i], n)
			}
		}
	}
	if *update {
		after := strings.TrimPrefix(tableHead+rest, old)
		if err := os.WriteFile("README.md", []byte(before+table+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table {
		t.Errorf("the table in README.md is out of date: run this test with -update. It should be\n%s", table)
	}
}

func tableRow(name string, numbers [5]int) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", name, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
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
