package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// maxAfterSignal is how long a process can run after the first one of its group.
const maxAfterSignal = 30 * time.Second

// maxRun is how long a command can run: a client may repeat a request for ever.
const maxRun = 10 * time.Minute

// execute runs a command in a process group of its own, until none of its processes runs.
// It returns what the command has printed, and whether it ended with code 0.
func (s *stage) execute(ctx context.Context, cmd *exec.Cmd) (out, failure []byte, succeeded bool, err error) {
	inGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	var printed, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &messages
	if err := cmd.Start(); err != nil {
		return nil, nil, false, err
	}
	s.group.Store(int64(cmd.Process.Pid))
	late := time.AfterFunc(maxRun, func() {
		fmt.Fprintf(os.Stderr, "%s has run for %s, and is killed\n", cmd.Args[0], maxRun)
		_ = killGroup(cmd.Process.Pid)
	})
	err = cmd.Wait()
	late.Stop()
	if errors.Is(err, exec.ErrWaitDelay) { // a process that it has started goes on
		err = nil
	}
	awaitGroup(cmd.Process.Pid, maxAfterSignal)
	s.active.Wait()
	if ctx.Err() != nil {
		return nil, nil, false, errors.New("interrupted")
	}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return nil, nil, false, err
	}
	return printed.Bytes(), messages.Bytes(), err == nil, nil
}
