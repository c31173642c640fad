package explore

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// program is a command other than Terraform, in the current directory. It has converged
// if its exit code is 0 and the service has the same objects as after an undisturbed run.
type program struct {
	*stage
	command     []string
	environment func(*testserver.Server) []string
	like        *likeness // nil before learn
}

func (p *program) another(s *stage) (subject, error) {
	return &program{s, p.command, p.environment, p.like}, nil
}

func (*program) restore() error { return nil }
func (*program) remove()        {}

// learn runs twice, to see what differs between two undisturbed runs.
func (p *program) learn(ctx context.Context, x *explorer) error {
	before, err := p.account()
	if err != nil {
		return err
	}
	one, err := p.undisturbed(ctx)
	if err != nil {
		return err
	}
	x.judge = undisturbed(before, one)
	number := map[string]int{}
	for _, record := range p.records {
		if kind := path.Base(record.Path); record.Created != "" {
			number[kind]++
			x.judge.HeldAfter[record.Created] = fmt.Sprintf("%s.%d", kind, number[kind])
		}
	}
	x.script = Learn(x.judge.Held, x.judge.HeldAfter, p.records, true)
	p.server.Reset()
	if err := p.minuteLater(); err != nil {
		return err
	}
	two, err := p.undisturbed(ctx)
	if err != nil {
		return err
	}
	p.like, err = newLikeness(before, one, two, x.judge.HeldAfter)
	return err
}

// undisturbed runs without an interruption, and returns what exists then.
func (p *program) undisturbed(ctx context.Context) (Account, error) {
	p.begin(nil, nil, nil)
	r, err := p.run(ctx)
	switch {
	case err != nil:
		return nil, err
	case !r.succeeded:
		return nil, fmt.Errorf("the command fails without an interruption: %s", r.failure)
	case len(p.records) == 0:
		return nil, errors.New("the command sends no requests to TUNNEL_BASE_URL")
	}
	return p.account()
}

func (p *program) run(ctx context.Context) (*ran, error) {
	cmd := exec.CommandContext(ctx, p.command[0], p.command[1:]...)
	cmd.Env, cmd.WaitDelay = p.environment(p.server), 10*time.Second
	out, messages, succeeded, err := p.execute(ctx, cmd)
	if err != nil {
		return nil, err
	}
	printed := strings.TrimSpace(string(slices.Concat(out, messages)))
	r := &ran{succeeded: succeeded, done: succeeded, changed: true}
	if !succeeded {
		last := printed[strings.LastIndex(printed, "\n")+1:]
		r.failure = problem.Escape(fmt.Sprintf("%s: %s", cmd.ProcessState, last))
	}
	return r, nil
}

// again runs the same command again. It has no errors that advise imports.
func (p *program) again(ctx context.Context, _ []Import) (*ran, error) { return p.run(ctx) }

// second is not used: other commands are not held.
func (*program) second(context.Context, bool) (*look, []Message, error) { return nil, nil, nil }

func (p *program) look() (*look, error) {
	account, err := p.account()
	if err != nil {
		return nil, err
	}
	held, differs := p.like.compare(account)
	now := &look{account: account, held: held}
	if len(differs) > 0 {
		now.failure = "it ends with 0, but missing or different: " + strings.Join(differs, ", ")
	}
	return now, nil
}
