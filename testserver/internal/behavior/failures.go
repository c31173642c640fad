package behavior

import (
	"cmp"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// log logs a response with the failure. A nil response is a reset.
func (h *hit) log(c *engine.Call, response *engine.Answer) *engine.Answer {
	return h.finish(c, response, h.name)
}

// send logs and sends a response.
func (h *hit) send(w http.ResponseWriter, c *engine.Call, response *engine.Answer) {
	h.log(c, response).Send(w)
}

func (h *hit) hold(w http.ResponseWriter, c *engine.Call) {
	h.wait(c)
	h.send(w, c, h.api.Process(c))
}

func (h *hit) lag(w http.ResponseWriter, c *engine.Call) {
	c.AsOf = c.Arrived.Add(-h.given.delay)
	h.send(w, c, h.api.Process(c))
}

func (h *hit) resetBefore(w http.ResponseWriter, c *engine.Call) {
	h.log(c, nil)
	if !hijackReset(w) {
		panic(http.ErrAbortHandler)
	}
}

func (h *hit) resetAfter(w http.ResponseWriter, c *engine.Call) {
	h.api.Process(c)
	h.resetBefore(w, c)
}

// hijackReset takes over the connection from the HTTP server and resets it. It
// returns false if that is not possible, for example with HTTP/2, where
// requests share a connection.
func hijackReset(w http.ResponseWriter) bool {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	if secure, isTLS := connection.(interface{ NetConn() net.Conn }); isTLS {
		connection = secure.NetConn()
	}
	if tcp, isTCP := connection.(*net.TCPConn); isTCP {
		_ = tcp.SetLinger(0) // makes Close send a RST
	}
	_ = connection.Close()
	return true
}

// fail responds with an error in the API's format.
func (h *hit) fail(w http.ResponseWriter, c *engine.Call) {
	if len(c.Body) > 0 && body.CheckContentType(c.Request.Header) != nil {
		h.finish(c, h.api.Process(c), "").Send(w) // 415, before anything that can fail
		return
	}
	if h.processed {
		h.api.Process(c)
	}
	h.send(w, c, h.injected(c, cmp.Or(h.given.number, h.status)))
}

// injected returns an error in the API's format.
func (h *hit) injected(c *engine.Call, status int) *engine.Answer {
	p := &problem.Problem{Status: status, Message: "injected failure"}
	retry := h.given.text
	switch status {
	case http.StatusTooManyRequests:
		p.Code = "226"
		if retry == "" {
			retry = "1"
		}
	case http.StatusNotFound:
		p.Message = problem.UnknownPath().Message
	}
	p.Code, p.Message = cmp.Or(strings.TrimPrefix(h.Code, problem.CodePrefix), p.Code), cmp.Or(h.Message, p.Message)
	response := h.api.Encode(c, nil, p)
	switch retry {
	case "", "none":
	default:
		response.Header.Set("Retry-After", retry)
	}
	return response
}

// answer returns the response to break: the real one, or an error if the request is not
// processed. A 204 becomes a 200 with a body, because a 204 has no body to corrupt.
func (h *hit) answer(c *engine.Call) *engine.Answer {
	response := h.injected(c, http.StatusBadGateway)
	if h.processed {
		response = h.api.Process(c)
	}
	if response.Status == http.StatusNoContent {
		response.Status = http.StatusOK
		response.Body = []byte("{}")
		response.Header.Set("Content-Type", "application/json")
	}
	if h.given.number != 0 {
		response.Status = h.given.number
	}
	return response
}

const htmlPage = "<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"

func (h *hit) html(w http.ResponseWriter, c *engine.Call) {
	response := h.answer(c)
	response.Header.Set("Content-Type", "text/html; charset=utf-8")
	response.Body = []byte(htmlPage)
	h.send(w, c, response)
}

func (h *hit) empty(w http.ResponseWriter, c *engine.Call) {
	response := h.answer(c)
	response.Body = nil
	h.send(w, c, response)
}

// truncate announces the length of the whole body, sends half of it and closes the
// connection.
func (h *hit) truncate(w http.ResponseWriter, c *engine.Call) {
	response := h.log(c, h.answer(c))
	response.SendHeader(w, len(response.Body))
	_, _ = w.Write(response.Body[:len(response.Body)/2])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler) // the HTTP server closes the connection
}

// slow sends the header at once, and the body piece by piece.
func (h *hit) slow(w http.ResponseWriter, c *engine.Call) {
	response := h.log(c, h.api.Process(c))
	response.SendHeader(w, len(response.Body))
	size := max(1, h.given.number/20)
	for piece := range slices.Chunk(response.Body, size) {
		_ = http.NewResponseController(w).Flush()
		h.api.Wait(c, h.given.delay*time.Duration(size)/time.Duration(h.given.number))
		if _, err := w.Write(piece); err != nil {
			return // the client has gone
		}
	}
}
