package plane

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

const (
	commandLimit = time.Second // how long a client has to open a channel for its command, and to ask for a forward
	leaveLimit   = time.Second // how long a client has to leave after its session has ended
	firstPort    = 40_000      // before the ports that only clients need
)

// session is an SSH client, and the channel on which it sees what happens.
type session struct {
	connection *ssh.ServerConn
	known      chan struct{} // closed when the command is known
	asked      atomic.Bool   // there was a forward
	opened     atomic.Bool   // there is a channel, so that a command follows

	mutex   sync.Mutex
	command *string     // nil if it is not known
	channel ssh.Channel // nil if the client has none
	lines   []string    // for it
	failed  bool
	port    uint32
}

func newSession(connection *ssh.ServerConn) *session {
	s := &session{connection: connection, known: make(chan struct{}), port: firstPort}
	time.AfterFunc(commandLimit, func() {
		if !s.opened.Load() {
			s.begin("", nil)
		} else if !s.asked.Load() {
			s.say("No tunnel is open: add -R 443:localhost:3000 before the host.")
		}
	})
	return s
}

// serve serves the channels of the client: a session that shows what happens, and
// nothing else.
func (s *session) serve(channels <-chan ssh.NewChannel) {
	for asked := range channels {
		if asked.ChannelType() != "session" {
			_ = asked.Reject(ssh.Prohibited, "only -R is allowed")
		} else if c, requests, err := asked.Accept(); err == nil {
			s.opened.Store(true)
			go s.read(c)
			go s.answer(c, requests)
		}
	}
}

// read waits for Ctrl-C, which a terminal sends as it is.
func (s *session) read(c ssh.Channel) {
	buffer := make([]byte, 256)
	for n, err := 0, error(nil); err == nil; {
		if n, err = c.Read(buffer); slices.Contains(buffer[:n], '\x03') {
			_ = s.connection.Close()
		}
	}
}

// answer answers the requests on a channel. A shell is no shell: it shows what happens.
func (s *session) answer(c ssh.Channel, requests <-chan *ssh.Request) {
	for r := range requests {
		begins := r.Type == "exec" || r.Type == "shell"
		if r.WantReply {
			_ = r.Reply(begins || r.Type == "pty-req" || r.Type == "env", nil)
		}
		if begins {
			var exec struct{ Command string }
			_ = ssh.Unmarshal(r.Payload, &exec) // a shell has none
			s.begin(exec.Command, c)
		}
	}
}

// begin sets the command, unless it is known, and the channel.
func (s *session) begin(command string, c ssh.Channel) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.command == nil {
		s.command = &command
		close(s.known)
	}
	if c != nil {
		s.channel = c
	}
	s.flush()
}

// say shows a line to the client as soon as it has a session.
func (s *session) say(line string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.lines = append(s.lines, line)
	s.flush()
}

// fail shows why the session ends, and ends it: OpenSSH would only warn about a refused
// forward, and stay.
func (s *session) fail(reason error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.failed {
		s.failed, s.lines = true, append(s.lines, "tunnel: "+reason.Error())
		s.flush()
		time.AfterFunc(leaveLimit, func() { _ = s.connection.Close() })
	}
}

// flush shows the lines. The client may have gone. The caller holds the mutex.
func (s *session) flush() {
	if s.channel == nil {
		return
	}
	for _, line := range s.lines {
		_, _ = fmt.Fprint(s.channel.Stderr(), line, "\r\n")
	}
	if s.lines = nil; s.failed {
		_, _ = s.channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{1}))
		_ = s.channel.Close()
	}
}

// nextPort returns a port that only the client needs.
func (s *session) nextPort() uint32 {
	s.port++
	return s.port
}

// wanted is what a client wants with its forwards.
type wanted struct {
	protocol string            // http, tls or tcp; or
	labels   map[string]string // of a tunnel
}

// wanted waits for the command, and parses it. None is http.
func (s *session) wanted() (w wanted, err error) {
	<-s.known
	words := strings.Fields(*s.command)
	switch {
	case len(words) == 0:
		return wanted{protocol: "http"}, nil
	case len(words) == 1 && slices.Contains([]string{"http", "tls", "tcp"}, words[0]):
		return wanted{protocol: words[0]}, nil
	}
	invalid := fmt.Errorf("invalid command %q: expected none, http, tls, tcp, or tunnel --label app=web", *s.command)
	if words[0] != "tunnel" || len(words) < 3 || len(words)%2 == 0 {
		return wanted{}, invalid
	}
	labels := map[string]string{}
	for pair := range slices.Chunk(words[1:], 2) {
		name, value, ok := strings.Cut(pair[1], "=")
		if _, twice := labels[name]; pair[0] != "--label" || !ok || name == "" || twice || strings.Contains(value, "=") {
			return wanted{}, invalid
		}
		labels[name] = value
	}
	return wanted{labels: labels}, nil
}
