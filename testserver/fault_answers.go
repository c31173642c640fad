package testserver

import (
	"bytes"
	"net"
	"net/http"
	"time"
)

// serve serves a request if a rule hits it, and reports whether one does.
func (f *injector) serve(w http.ResponseWriter, c *call) bool {
	fault := f.pick(c)
	if fault == nil {
		return false
	}
	fault.serve(w, c)
	return true
}

// serve serves a request that the rule hits.
func (a *activeFault) serve(w http.ResponseWriter, c *call) {
	rule := &a.rule.Fault
	switch rule.Kind {
	case FaultDelay:
		a.api.wait(c, rule.Delay)
		a.send(w, c, a.api.process(c))
	case FaultSlow:
		late := a.api.process(c)
		a.api.wait(c, rule.Delay)
		a.send(w, c, late)
	case FaultLag, FaultLagGet, FaultLagList:
		c.view.asOf = c.time.Add(-rule.Delay)
		a.sendIfUsed(w, c, a.api.process(c))
	case FaultEmptyReplica:
		c.view.asOf = never
		a.sendIfUsed(w, c, a.api.process(c))
	case FaultNotFoundAfterCreate:
		c.view.hidden = rule.Delay
		a.sendIfUsed(w, c, a.api.process(c))
	case FaultForeign201:
		c.view.instead = func(key string) bool { return !a.creations.has(key) }
		a.sendIfUsed(w, c, a.api.process(c))
	case FaultShortList:
		a.sendIfUsed(w, c, a.shortList(c))
	case FaultClockSkew:
		c.view.skew, c.view.used = rule.Delay, true
		a.sendIfUsed(w, c, a.api.process(c))
	case FaultStalePage:
		a.sendIfUsed(w, c, a.cached(c))
	case FaultReplay201:
		a.sendIfUsed(w, c, a.replayed(c))
	case FaultNotFoundOnce:
		a.sendIfUsed(w, c, a.notFound(c))
	case FaultLostRoute:
		a.send(w, c, a.api.encode(c, nil, unknownPath()))
	case FaultRedirect:
		a.send(w, c, a.redirect(c))
	case FaultResetStreamAfter:
		a.api.process(c)
		a.finishWith(c, nil)
		resetStream(c, rule.Code)
	case FaultResetBefore:
		a.api.wait(c, rule.Delay)
		a.finishWith(c, nil)
		reset(w)
	case FaultResetDuring:
		a.finishWith(c, nil)
		c.begin() // until it is processed
		a.resetThenProcess(w, c)
	case FaultResetAfter:
		a.api.process(c)
		a.api.wait(c, rule.Delay)
		a.finishWith(c, nil)
		reset(w)
	case FaultTruncate, FaultHTML, FaultContentType, FaultEmpty, FaultEndless:
		a.serveBroken(w, c)
	default:
		a.serveError(w, c)
	}
}

// finishWith logs a response with the fault. A nil response is a reset.
func (a *activeFault) finishWith(c *call, response *answer) *answer {
	return a.finish(c, response, a.rule.Kind)
}

// send logs and sends a response.
func (a *activeFault) send(w http.ResponseWriter, c *call, response *answer) {
	a.finishWith(c, response).send(w)
}

// sendIfUsed sends a response. The fault counts as a hit only if it changed the
// response.
func (a *activeFault) sendIfUsed(w http.ResponseWriter, c *call, response *answer) {
	if !c.view.used {
		a.release()
		a.finish(c, response, "").send(w)
		return
	}
	a.send(w, c, response)
}

// resetThenProcess resets the connection and processes the request after the
// delay. Without a delay, it processes the request first.
func (a *activeFault) resetThenProcess(w http.ResponseWriter, c *call) {
	delay := a.rule.Delay
	if delay <= 0 {
		a.api.process(c)
	}
	hungUp := hijackReset(w)
	if delay > 0 {
		a.api.sleep(delay, nil)
		a.api.process(c)
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
func (a *activeFault) serveError(w http.ResponseWriter, c *call) {
	kind := errorFaults[a.rule.Kind]
	if len(c.body) > 0 && checkContentType(c.request.Header) != nil {
		a.sendIfUsed(w, c, a.api.process(c)) // 415, before anything that can fail
		return
	}
	if kind.after {
		a.api.process(c)
	}
	a.api.wait(c, a.rule.Delay)
	a.send(w, c, a.injected(c, kind.status))
}

// injected returns an injected error in the API's format.
func (a *activeFault) injected(c *call, status int) *answer {
	retryAfter := a.rule.RetryAfter
	p := &problem{status: status, message: "injected fault"}
	if status == http.StatusTooManyRequests {
		p.code = "226"
		if retryAfter == "" {
			retryAfter = "seconds"
		}
	}
	response := a.api.encode(c, nil, p)
	switch retryAfter {
	case "", "none":
	case "seconds":
		response.header.Set("Retry-After", "1")
	case "date":
		response.header.Set("Retry-After", a.api.now().Add(2*time.Second).Format(http.TimeFormat)) // 2 seconds, because a date has no fractions
	default:
		response.header.Set("Retry-After", retryAfter)
	}
	return response
}

const htmlPage = "<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"

// serveBroken sends a response that is not in the API's format.
func (a *activeFault) serveBroken(w http.ResponseWriter, c *call) {
	response := a.answerToBreak(c)
	switch a.rule.Kind {
	case FaultHTML:
		response.header.Set("Content-Type", "text/html; charset=utf-8")
		response.body = []byte(htmlPage)
	case FaultContentType:
		response.header.Set("Content-Type", "text/plain; charset=utf-8")
	case FaultEmpty:
		response.body = nil
	case FaultEndless:
		a.sendEndless(w, c, a.finishWith(c, response))
		return
	case FaultTruncate:
		a.api.wait(c, a.rule.Delay)
		sendHalf(w, a.finishWith(c, response))
	}
	a.api.wait(c, a.rule.Delay)
	a.send(w, c, response)
}

// answerToBreak returns the real response, or an error if the rule skips
// processing. A 204 becomes a 200 with a body, because a 204 has no body to
// corrupt.
func (a *activeFault) answerToBreak(c *call) *answer {
	var response *answer
	if a.rule.Before {
		response = a.injected(c, http.StatusBadGateway)
	} else {
		response = a.api.process(c)
	}
	if response.status == http.StatusNoContent {
		response.status = http.StatusOK
		response.body = []byte("{}")
		response.header.Set("Content-Type", "application/json")
	}
	if a.rule.Status != 0 {
		response.status = a.rule.Status
	}
	return response
}

// sendHalf announces the length of the whole body, sends half of it and closes
// the connection.
func sendHalf(w http.ResponseWriter, response *answer) {
	response.sendHeader(w, len(response.body))
	_, _ = w.Write(response.body[:len(response.body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler) // the HTTP server closes the connection
}

// sendEndless sends a JSON string until the client disconnects or the server
// stops. It pauses before each chunk if the rule has a delay.
func (a *activeFault) sendEndless(w http.ResponseWriter, c *call, response *answer) {
	response.sendHeader(w, -1)
	chunk := bytes.Repeat([]byte("a"), 32<<10)
	_, err := w.Write([]byte(`{"padding":"`))
	for err == nil && c.request.Context().Err() == nil {
		select {
		case <-a.api.stopping():
			return
		default:
		}
		_ = http.NewResponseController(w).Flush()
		a.api.wait(c, a.rule.Delay)
		_, err = w.Write(chunk)
	}
}
