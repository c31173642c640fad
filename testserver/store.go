package testserver

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Store holds all objects of a server in memory. If it was opened with
// [OpenStore], it also keeps them in a file.
type Store = store.Store

// OpenStore opens the store in a directory and loads the objects of earlier
// servers. It creates the directory and the file if necessary. It returns an
// error if another process has the store open, or if the file is damaged.
func OpenStore(dir string) (*Store, error) { return store.Open(dir, openAllTables) }

// openAllTables creates the tables of a server.
func openAllTables(store *store.Store) {
	originTable.Open(store)
	kinds.OpenTables(store)
}
