package api

import "time"

// learn draws what it can from a pause that a probe ended. Where the pause was
// shorter than the window known so far, the window still holds, and only fewer
// requests fit in it.
func (p *pace) learn(probe *pass) {
	pause := probe.sent.Sub(p.paused)
	if pause < shortPause {
		p.setSlots(max(1, p.beside))
	}
	if p.fixed {
		return
	}
	p.step, p.tried = 1, probe.sent
	if pause < shortPause {
		return
	}
	before, first := 0, p.paused
	for _, s := range p.sent {
		if s.sent.Before(p.paused) && (p.window == 0 || pause >= p.window || p.paused.Sub(s.sent) < p.window) {
			before++
			if s.sent.Before(first) {
				first = s.sent
			}
		}
	}
	if before > 0 && (p.window == 0 || pause >= p.window) {
		p.window = p.measured(first, probe)
	}
	if p.window > 0 {
		p.limit = max(1, before)
	}
}

// measured is how long the window is whose first request is given, and which was
// over when the probe was sent. Where the service says itself when there is room,
// it names the second that follows: a window of whole seconds, which all known
// ones are, is then known precisely, and the probe only came at some time after
// its end.
func (p *pace) measured(first time.Time, probe *pass) time.Duration {
	if p.room.IsZero() || probe.sent.Before(p.room) {
		return probe.sent.Sub(first)
	}
	return max(p.room.Sub(first).Truncate(time.Second), time.Second)
}
