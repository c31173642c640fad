package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/explore"
)

// program is a command other than Terraform, in the current directory. It has converged
// if its exit code is 0 and the service has the same objects as after an undisturbed run.
type program struct {
	*stage
	command  []string
	likeness *explore.Likeness // nil before learn
}

func newProgram(command []string) func(*stage) (subject, error) {
	return func(s *stage) (subject, error) { return &program{stage: s, command: command}, nil }
}

func (p *program) another(s *stage) (subject, error) {
	return &program{s, p.command, p.likeness}, nil
}

func (*program) restore([]byte) error { return nil }
func (*program) remove()              {}

// learn runs twice, to see what differs between two undisturbed runs.
func (p *program) learn(ctx context.Context, x *explorer) error {
	x.kinds, x.words, x.tries = explore.ProgramKinds, explore.Program, 3
	before, err := p.account()
	if err != nil {
		return err
	}
	one, records, err := p.undisturbed(ctx)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return errors.New("the command sends no requests to TUNNEL_BASE_URL")
	}
	p.server.Reset()
	if err := p.minuteLater(); err != nil {
		return err
	}
	two, _, err := p.undisturbed(ctx)
	if err != nil {
		return err
	}
	x.judge = explore.Undisturbed(before, one)
	x.script = explore.Learn(x.judge.Held, x.judge.HeldAfter, records)
	p.likeness, err = explore.NewLikeness(before, one, two, x.script.Of)
	return err
}

// undisturbed runs without an interruption. It returns what exists then, and the
// requests.
func (p *program) undisturbed(ctx context.Context) (explore.Account, []explore.Record, error) {
	p.begin(nil, nil)
	r, err := p.run(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !r.succeeded {
		return nil, nil, fmt.Errorf("the command fails without an interruption: %s", r.failure)
	}
	if p.restored.Load() {
		return nil, nil, errors.New("the command resets the test server, which would hide what an interruption leaves: " +
			"explore it without POST /_testserver/reset")
	}
	now, err := p.account()
	return now, p.records, err
}

func (p *program) run(ctx context.Context) (*ran, error) {
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Env, cmd.WaitDelay = ofClient(withoutSettings(os.Environ()), p.server), 10*time.Second
	out, messages, succeeded, err := p.execute(ctx, cmd)
	if err != nil {
		return nil, err
	}
	r := &ran{succeeded: succeeded, done: succeeded, changed: true}
	r.told.Errors = []explore.Message{{Text: string(slices.Concat(out, messages))}}
	if !succeeded {
		r.failure = fmt.Sprintf("%s: %s", cmd.ProcessState, cmp.Or(lastLine(messages), lastLine(out), "it prints nothing"))
	}
	return r, nil
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return printable(strings.TrimSpace(lines[len(lines)-1]))
}

// again runs the same command again. It has no errors that advise imports.
func (p *program) again(ctx context.Context, _ []explore.Import) (*ran, error) { return p.run(ctx) }

func (p *program) look() (*look, error) {
	account, err := p.account()
	if err != nil {
		return nil, err
	}
	held, differs := p.likeness.Compare(account)
	now := &look{account: account, held: held}
	if len(differs) > 0 {
		now.wrong = "it ends with 0, but missing or different: " + strings.Join(differs, ", ")
	}
	return now, nil
}
