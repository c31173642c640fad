// Dist makes what a release publishes out of what GoReleaser built, and checks
// it: names, checksums, signatures, archives and SBOMs.
//
// To sign with the key of releases, set GPG_PRIVATE_KEY (armored) and
// PASSPHRASE.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

const usage = `Usage:
  dist assemble -from DIR -to DIR -public-key FILE
  dist verify -public-key FILE [-version VERSION] DIR
  dist key -public-key FILE`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return errors.New("no command\n" + usage)
	}
	flags := flag.NewFlagSet("dist "+arguments[0], flag.ExitOnError)
	keyFile := flags.String("public-key", "", "armored public key: verify reads it, assemble writes it")
	switch arguments[0] {
	case "assemble":
		from := flags.String("from", "", "where GoReleaser put the archives")
		to := flags.String("to", "", "where the release goes; emptied first")
		_ = flags.Parse(arguments[1:]) // it exits
		key, err := signingKey(os.Getenv("GPG_PRIVATE_KEY"), os.Getenv("PASSPHRASE"))
		if err != nil {
			return err
		}
		if err := assemble(*from, *to, "terraform-registry-manifest.json", key, allPlatforms); err != nil {
			return err
		}
		public, err := publicKey(key)
		if err != nil {
			return err
		}
		return os.WriteFile(*keyFile, public, 0o644)
	case "verify":
		version := flags.String("version", "", "the version that it must be, with or without v")
		_ = flags.Parse(arguments[1:]) // it exits
		key, err := os.ReadFile(*keyFile)
		if err != nil {
			return fmt.Errorf("the public key of releases: %w", err)
		}
		r, err := findRelease(flags.Arg(0), allPlatforms)
		if err != nil {
			return err
		}
		if want := strings.TrimPrefix(*version, "v"); want != "" && want != r.version {
			return fmt.Errorf("%s has version %s, want %s", flags.Arg(0), r.version, want)
		}
		if err := r.verify(flags.Arg(0), string(key), time.Now()); err != nil {
			return fmt.Errorf("%s must not be published:\n%w", flags.Arg(0), err)
		}
		fmt.Printf("%s has version %s, %d files, nothing is wrong\n", flags.Arg(0), r.version, len(r.files()))
		return nil
	case "key":
		_ = flags.Parse(arguments[1:]) // it exits
		key, err := os.ReadFile(*keyFile)
		if err != nil {
			return fmt.Errorf("the public key of releases: %w", err)
		}
		return checkKey(string(key), time.Now())
	}
	return fmt.Errorf("unknown command %q\n%s", arguments[0], usage)
}
