package testserver

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// SeedSSHCredentials makes n SSH credentials at once and gives their ids, the oldest first. Each has a well-formed ed25519
// public key of its own, to which nobody has the private half.
func (s *Server) SeedSSHCredentials(n int) []string {
	ids := make([]string, 0, n)
	s.must(s.store.update(func(tx *tx) error {
		for i := range n {
			now := s.now()
			credential := &sshCredential{
				common: common{
					ID:          s.ids.next("sshcr_", now),
					CreatedAt:   now.Truncate(time.Second),
					Description: fmt.Sprintf("seeded %d", i),
				},
				ACL:     []string{},
				OwnerID: s.AdminOwner,
			}
			credential.PublicKey = publicKeyFor(credential.ID)
			s.data.sshCredentials.put(tx, credential)
			ids = append(ids, credential.ID)
		}
		return nil
	}))
	return ids
}

// publicKeyFor derives an ed25519 public key in authorized-keys format from a name.
func publicKeyFor(name string) string {
	point := sha256.Sum256([]byte(name))
	var blob []byte
	for _, part := range []string{ssh.KeyAlgoED25519, string(point[:])} {
		blob = binary.BigEndian.AppendUint32(blob, uint32(len(part)))
		blob = append(blob, part...)
	}
	key, err := ssh.ParsePublicKey(blob)
	if err != nil {
		panicf("make a public key: %v", err) // any 32 bytes are fine
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}
