package testserver

import (
	"bytes"
	"net"
	"net/http"
	"time"
)

// serveFault serves a request that a fault rule hits.
func (s *Server) serveFault(w http.ResponseWriter, c *call, fault *activeFault) {
	rule := &fault.rule.Fault
	switch rule.Kind {
	case FaultDelay:
		s.wait(c, rule.Delay)
		s.finish(c, s.process(c), fault).send(w)
	case FaultSlow:
		a := s.process(c)
		s.wait(c, rule.Delay)
		s.finish(c, a, fault).send(w)
	case FaultLag, FaultLagGet, FaultLagList, FaultEmptyReplica, FaultNotFoundAfterCreate, FaultForeign201:
		c.effect = rule
		s.serveEffect(w, c, fault, s.process(c))
	case FaultShortList:
		s.serveEffect(w, c, fault, s.shortList(c, rule.Seed))
	case FaultClockSkew:
		c.effect, c.applied = rule, true
		s.serveEffect(w, c, fault, s.process(c))
	case FaultStalePage:
		s.serveEffect(w, c, fault, s.cached(c, fault.rule))
	case FaultReplay201:
		s.serveEffect(w, c, fault, s.replayed(c))
	case FaultNotFoundOnce:
		s.serveEffect(w, c, fault, s.notFound(c))
	case FaultLostRoute:
		s.finish(c, s.encode(c, nil, unknownPath()), fault).send(w)
	case FaultRedirect:
		s.finish(c, s.redirect(c, rule), fault).send(w)
	case FaultResetStreamAfter:
		s.process(c)
		s.finish(c, nil, fault)
		resetStream(c, rule.Code)
	case FaultResetBefore:
		s.wait(c, rule.Delay)
		s.finish(c, nil, fault)
		reset(w)
	case FaultResetDuring:
		s.finish(c, nil, fault)
		c.begin() // until it is processed
		s.resetThenProcess(w, c, rule.Delay)
	case FaultResetAfter:
		s.process(c)
		s.wait(c, rule.Delay)
		s.finish(c, nil, fault)
		reset(w)
	case FaultTruncate, FaultHTML, FaultContentType, FaultEmpty, FaultEndless:
		s.serveBroken(w, c, fault)
	default:
		s.serveError(w, c, fault)
	}
}

// resetThenProcess resets the connection and processes the request after the
// delay. Without a delay, it processes the request first.
func (s *Server) resetThenProcess(w http.ResponseWriter, c *call, delay time.Duration) {
	if delay <= 0 {
		s.process(c)
	}
	hungUp := hijackReset(w)
	if delay > 0 {
		s.sleep(delay, nil)
		s.process(c)
	}
	if !hungUp {
		panic(http.ErrAbortHandler)
	}
}

// hijackReset takes over the connection from the HTTP server and resets it. It
// returns false if that is not possible, for example with HTTP/2, where
// requests share a connection.
func hijackReset(w http.ResponseWriter) bool {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	if secure, isTLS := connection.(*http2Conn); isTLS {
		connection = secure.tls.NetConn()
	}
	if tcp, isTCP := connection.(*net.TCPConn); isTCP {
		_ = tcp.SetLinger(0) // makes Close send a RST
	}
	_ = connection.Close()
	return true
}

func reset(w http.ResponseWriter) {
	if !hijackReset(w) {
		panic(http.ErrAbortHandler)
	}
}

// errorFaults are the fault kinds that respond with an error status.
var errorFaults = map[FaultKind]struct {
	status int
	after  bool
}{
	Fault429: {http.StatusTooManyRequests, false},

	Fault500: {http.StatusInternalServerError, false}, Fault500After: {http.StatusInternalServerError, true},
	Fault502: {http.StatusBadGateway, false}, Fault502After: {http.StatusBadGateway, true},
	Fault503: {http.StatusServiceUnavailable, false}, Fault503After: {http.StatusServiceUnavailable, true},
	Fault504: {http.StatusGatewayTimeout, false}, Fault504After: {http.StatusGatewayTimeout, true},
}

// serveError responds with an error status.
func (s *Server) serveError(w http.ResponseWriter, c *call, fault *activeFault) {
	kind := errorFaults[fault.rule.Kind]
	if len(c.body) > 0 && c.jsonContent() != nil {
		s.serveEffect(w, c, fault, s.process(c)) // 415, before anything that can fail
		return
	}
	if kind.after {
		s.process(c)
	}
	s.wait(c, fault.rule.Delay)
	s.finish(c, s.injected(c, kind.status, fault.rule.RetryAfter), fault).send(w)
}

// injected returns an injected error in the API's format.
func (s *Server) injected(c *call, status int, retryAfter string) *answer {
	p := &problem{status: status, message: "injected fault"}
	if status == http.StatusTooManyRequests {
		p.code = "226"
		if retryAfter == "" {
			retryAfter = "seconds"
		}
	}
	a := s.encode(c, nil, p)
	switch retryAfter {
	case "", "none":
	case "seconds":
		a.header.Set("Retry-After", "1")
	case "date":
		a.header.Set("Retry-After", s.now().Add(2*time.Second).Format(http.TimeFormat)) // 2 seconds, because a date has no fractions
	default:
		a.header.Set("Retry-After", retryAfter)
	}
	return a
}

const htmlPage = "<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"

// serveBroken sends a response that is not in the API's format.
func (s *Server) serveBroken(w http.ResponseWriter, c *call, fault *activeFault) {
	rule := &fault.rule.Fault
	a := s.answerToBreak(c, rule)
	switch rule.Kind {
	case FaultHTML:
		a.header.Set("Content-Type", "text/html; charset=utf-8")
		a.body = []byte(htmlPage)
	case FaultContentType:
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
	case FaultEmpty:
		a.body = nil
	case FaultEndless:
		s.finish(c, a, fault)
		s.sendEndless(w, c, a, rule.Delay)
		return
	case FaultTruncate:
		s.wait(c, rule.Delay)
		s.finish(c, a, fault).sendHalf(w)
	}
	s.wait(c, rule.Delay)
	s.finish(c, a, fault).send(w)
}

// answerToBreak returns the real response, or an error if the rule skips
// processing. A 204 becomes a 200 with a body, because a 204 has no body to
// corrupt.
func (s *Server) answerToBreak(c *call, rule *Fault) *answer {
	var a *answer
	if rule.Before {
		a = s.injected(c, http.StatusBadGateway, rule.RetryAfter)
	} else {
		a = s.process(c)
	}
	if a.status == http.StatusNoContent {
		a.status = http.StatusOK
		a.body = []byte("{}")
		a.header.Set("Content-Type", "application/json")
	}
	if rule.Status != 0 {
		a.status = rule.Status
	}
	return a
}

// sendHalf announces the length of the whole body, sends half of it and closes
// the connection.
func (a *answer) sendHalf(w http.ResponseWriter) {
	a.sendHeader(w, len(a.body))
	_, _ = w.Write(a.body[:len(a.body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler) // the HTTP server closes the connection
}

// sendEndless sends a JSON string until the client disconnects or the server
// stops. It pauses before each chunk if pause is positive.
func (s *Server) sendEndless(w http.ResponseWriter, c *call, a *answer, pause time.Duration) {
	a.sendHeader(w, -1)
	chunk := bytes.Repeat([]byte("a"), 32<<10)
	_, err := w.Write([]byte(`{"padding":"`))
	for err == nil && c.request.Context().Err() == nil {
		select {
		case <-s.closing:
			return
		default:
		}
		_ = http.NewResponseController(w).Flush()
		s.wait(c, pause)
		_, err = w.Write(chunk)
	}
}
