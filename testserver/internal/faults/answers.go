package faults

import (
	"bytes"
	"net"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Serve serves a request if a rule hits it, and reports whether one does.
func (f *Injector) Serve(w http.ResponseWriter, c *engine.Call) bool {
	fault := f.pick(c)
	if fault == nil {
		return false
	}
	fault.serve(w, c)
	return true
}

// serve serves a request that the rule hits.
func (a *activeFault) serve(w http.ResponseWriter, c *engine.Call) {
	rule := &a.rule.Fault
	switch rule.Kind {
	case Delay:
		a.api.Wait(c, rule.Delay)
		a.send(w, c, a.api.Process(c))
	case Slow:
		late := a.api.Process(c)
		a.api.Wait(c, rule.Delay)
		a.send(w, c, late)
	case Hold:
		a.hold(c, false)
		a.send(w, c, a.api.Process(c))
	case HoldAfter:
		late := a.api.Process(c)
		a.hold(c, true)
		a.send(w, c, late)
	case Lag, LagGet, LagList:
		c.View.AsOf = c.Arrived.Add(-rule.Delay)
		a.sendIfUsed(w, c, a.api.Process(c))
	case EmptyReplica:
		c.View.AsOf = store.Never
		a.sendIfUsed(w, c, a.api.Process(c))
	case NotFoundAfterCreate:
		c.View.Hidden = rule.Delay
		a.sendIfUsed(w, c, a.api.Process(c))
	case ShortList:
		a.sendIfUsed(w, c, a.shortList(c))
	case ClockSkew:
		c.View.Skew, c.View.Used = rule.Delay, true
		a.sendIfUsed(w, c, a.api.Process(c))
	case StalePage:
		a.sendIfUsed(w, c, a.cached(c))
	case Replay201:
		a.sendIfUsed(w, c, a.replayed(c))
	case NotFoundOnce:
		a.sendIfUsed(w, c, a.notFound(c))
	case LostRoute:
		a.send(w, c, a.api.Encode(c, nil, problem.UnknownPath()))
	case Redirect:
		a.send(w, c, a.redirect(c))
	case ResetStreamAfter:
		a.api.Process(c)
		a.finishWith(c, nil)
		resetStream(c, rule.Code)
	case ResetBefore:
		a.api.Wait(c, rule.Delay)
		a.finishWith(c, nil)
		reset(w)
	case ResetDuring:
		a.finishWith(c, nil)
		c.Begin() // until it is processed
		a.resetThenProcess(w, c)
	case ResetAfter:
		a.api.Process(c)
		a.api.Wait(c, rule.Delay)
		a.finishWith(c, nil)
		reset(w)
	case Truncate, HTML, ContentType, Empty, Endless:
		a.serveBroken(w, c)
	default:
		a.serveError(w, c)
	}
}

// finishWith logs a response with the fault. A nil response is a reset.
func (a *activeFault) finishWith(c *engine.Call, response *engine.Answer) *engine.Answer {
	return a.finish(c, response, a.rule.Kind)
}

// send logs and sends a response.
func (a *activeFault) send(w http.ResponseWriter, c *engine.Call, response *engine.Answer) {
	a.finishWith(c, response).Send(w)
}

// sendIfUsed sends a response. The fault counts as a hit only if it changed the
// response.
func (a *activeFault) sendIfUsed(w http.ResponseWriter, c *engine.Call, response *engine.Answer) {
	if !c.View.Used {
		a.release()
		a.finish(c, response, "").Send(w)
		return
	}
	a.send(w, c, response)
}

// resetThenProcess resets the connection and processes the request after the
// delay. Without a delay, it processes the request first.
func (a *activeFault) resetThenProcess(w http.ResponseWriter, c *engine.Call) {
	delay := a.rule.Delay
	if delay <= 0 {
		a.api.Process(c)
	}
	hungUp := hijackReset(w)
	if delay > 0 {
		a.api.Sleep(delay, nil)
		a.api.Process(c)
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

// errorKinds are the fault kinds that respond with an error status.
var errorKinds = map[Kind]struct {
	status int
	after  bool
}{
	Error429: {http.StatusTooManyRequests, false},

	Error500: {http.StatusInternalServerError, false}, Error500After: {http.StatusInternalServerError, true},
	Error502: {http.StatusBadGateway, false}, Error502After: {http.StatusBadGateway, true},
	Error503: {http.StatusServiceUnavailable, false}, Error503After: {http.StatusServiceUnavailable, true},
	Error504: {http.StatusGatewayTimeout, false}, Error504After: {http.StatusGatewayTimeout, true},
}

// serveError responds with an error status.
func (a *activeFault) serveError(w http.ResponseWriter, c *engine.Call) {
	kind := errorKinds[a.rule.Kind]
	if len(c.Body) > 0 && body.CheckContentType(c.Request.Header) != nil {
		a.sendIfUsed(w, c, a.api.Process(c)) // 415, before anything that can fail
		return
	}
	if kind.after {
		a.api.Process(c)
	}
	a.api.Wait(c, a.rule.Delay)
	a.send(w, c, a.injected(c, kind.status))
}

// injected returns an injected error in the API's format.
func (a *activeFault) injected(c *engine.Call, status int) *engine.Answer {
	retryAfter := a.rule.RetryAfter
	p := &problem.Problem{Status: status, Message: "injected fault"}
	if status == http.StatusTooManyRequests {
		p.Code = "226"
		if retryAfter == "" {
			retryAfter = "seconds"
		}
	}
	response := a.api.Encode(c, nil, p)
	switch retryAfter {
	case "", "none":
	case "seconds":
		response.Header.Set("Retry-After", "1")
	case "date":
		response.Header.Set("Retry-After", a.api.Now().Add(2*time.Second).Format(http.TimeFormat)) // 2 seconds, because a date has no fractions
	default:
		response.Header.Set("Retry-After", retryAfter)
	}
	return response
}

const htmlPage = "<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"

// serveBroken sends a response that is not in the API's format.
func (a *activeFault) serveBroken(w http.ResponseWriter, c *engine.Call) {
	response := a.answerToBreak(c)
	switch a.rule.Kind {
	case HTML:
		response.Header.Set("Content-Type", "text/html; charset=utf-8")
		response.Body = []byte(htmlPage)
	case ContentType:
		response.Header.Set("Content-Type", "text/plain; charset=utf-8")
	case Empty:
		response.Body = nil
	case Endless:
		a.sendEndless(w, c, a.finishWith(c, response))
		return
	case Truncate:
		a.api.Wait(c, a.rule.Delay)
		sendHalf(w, a.finishWith(c, response))
	}
	a.api.Wait(c, a.rule.Delay)
	a.send(w, c, response)
}

// answerToBreak returns the real response, or an error if the rule skips
// processing. A 204 becomes a 200 with a body, because a 204 has no body to
// corrupt.
func (a *activeFault) answerToBreak(c *engine.Call) *engine.Answer {
	var response *engine.Answer
	if a.rule.Before {
		response = a.injected(c, http.StatusBadGateway)
	} else {
		response = a.api.Process(c)
	}
	if response.Status == http.StatusNoContent {
		response.Status = http.StatusOK
		response.Body = []byte("{}")
		response.Header.Set("Content-Type", "application/json")
	}
	if a.rule.Status != 0 {
		response.Status = a.rule.Status
	}
	return response
}

// sendHalf announces the length of the whole body, sends half of it and closes
// the connection.
func sendHalf(w http.ResponseWriter, response *engine.Answer) {
	response.SendHeader(w, len(response.Body))
	_, _ = w.Write(response.Body[:len(response.Body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler) // the HTTP server closes the connection
}

// sendEndless sends a JSON string until the client disconnects or the server
// stops. It pauses before each chunk if the rule has a delay.
func (a *activeFault) sendEndless(w http.ResponseWriter, c *engine.Call, response *engine.Answer) {
	response.SendHeader(w, -1)
	chunk := bytes.Repeat([]byte("a"), 32<<10)
	_, err := w.Write([]byte(`{"padding":"`))
	for err == nil && c.Request.Context().Err() == nil {
		select {
		case <-a.api.Stopping():
			return
		default:
		}
		_ = http.NewResponseController(w).Flush()
		a.api.Wait(c, a.rule.Delay)
		_, err = w.Write(chunk)
	}
}
