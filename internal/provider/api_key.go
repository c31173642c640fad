package provider

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

const (
	maxKeyFile     = 4 << 10 // 4 KiB
	othersMayRead  = 0o004
	whereAPIKeyIs  = "api_key or api_key_file in the provider block, or " + apiKeyVariable + " or " + apiKeyFileVariable
	conflictingKey = "Conflicting arguments api_key and api_key_file"
)

// keySource is where the API key is.
type keySource struct {
	name   string // of the argument or the variable
	value  string // the key, or the path of its file; "" if none is set
	isFile bool
}

// keySource returns where the API key is. The provider block takes precedence over
// the environment. In each of them, only one of the two may be set.
func (m *model) keySource(diags *diag.Diagnostics) keySource {
	for _, set := range [][2]keySource{
		{{"api_key", m.APIKey.ValueString(), false}, {"api_key_file", m.APIKeyFile.ValueString(), true}},
		{{apiKeyVariable, os.Getenv(apiKeyVariable), false}, {apiKeyFileVariable, os.Getenv(apiKeyFileVariable), true}},
	} {
		switch key, file := set[0], set[1]; {
		case key.value != "" && file.value != "":
			diags.AddAttributeError(path.Root("api_key_file"), conflictingKey,
				fmt.Sprintf("Expected one of %s and %s; found both. Remove %s to read the API key from the file, or %s to use the key itself.",
					key.name, file.name, key.name, file.name))
			return file
		case key.value != "":
			return key
		case file.value != "":
			return file
		}
	}
	return keySource{name: "api_key"}
}

// apiKey returns the API key and, if it is from a file, a function that returns it if
// the file has changed.
func (m *model) apiKey(diags *diag.Diagnostics) (key string, changed func() string) {
	from := m.keySource(diags)
	switch {
	case diags.HasError():
		return "", nil
	case from.value == "":
		diags.AddAttributeError(path.Root("api_key"), "Missing api_key", setAPIKey)
		return "", nil
	case !from.isFile:
		if err := checkKey(from.value); err != nil {
			diags.AddAttributeError(path.Root("api_key"), "Invalid API key", "The API key in "+from.name+" "+err.Error()+".")
		}
		return from.value, nil
	}
	key, read, err := readKey(from.value)
	wrong := fmt.Sprintf("%s must be the path of a file that contains only an API key; %s.", from.name, err)
	switch {
	case err != nil && maybeKey(from.value): // Terraform prints the line of an argument
		diags.AddError("Invalid API key file", wrong)
	case err != nil:
		diags.AddAttributeError(path.Root("api_key_file"), "Invalid API key file", wrong)
	case runtime.GOOS != "windows" && read.Mode()&othersMayRead != 0:
		diags.AddAttributeWarning(path.Root("api_key_file"), "API key file is readable by all users",
			fmt.Sprintf("All users of this machine can read the file in %s, %s (mode %04o). To prevent this, run chmod o-r for it.",
				from.name, attribute.Quote(from.value), read.Mode().Perm()))
	}
	return key, func() string {
		info, err := os.Stat(from.value)
		if err != nil || info.ModTime().Equal(read.ModTime()) && info.Size() == read.Size() {
			return ""
		}
		key, now, err := readKey(from.value)
		if err != nil { // it is being replaced
			return ""
		}
		read = now
		return key
	}
}

// readKey reads an API key from a file, without the white space around it. The error
// never repeats the content.
func readKey(name string) (key string, info os.FileInfo, err error) {
	text, info, err := readFile(name, maxKeyFile)
	key = strings.TrimSpace(text)
	switch {
	case info == nil && maybeKey(name):
		return "", nil, fmt.Errorf("found the name of a file that cannot be read (%w), or the API key itself, so it is not shown. "+
			"To use a key that is not in a file, set api_key or %s", err, apiKeyVariable)
	case err != nil && strings.HasPrefix(name, "~"):
		err = fmt.Errorf("which cannot be read: %w. Use the whole path: nothing expands ~ here, except pathexpand() in a configuration", err)
	case err != nil:
		err = fmt.Errorf("which cannot be read: %w", err)
	case key == "":
		err = errors.New("which is empty")
	default:
		if wrong := checkKey(key); wrong != nil {
			err = fmt.Errorf("whose content %w", wrong)
		}
	}
	if err != nil {
		err = fmt.Errorf("found %s, %w", attribute.Quote(name), err)
	}
	return key, info, err
}

// readFile returns the text of a file of at most maxSize bytes, and its description if it
// exists. The error does not repeat the name, which can be a secret.
func readFile(name string, maxSize int64) (text string, info os.FileInfo, err error) {
	var content []byte
	info, err = os.Stat(name)
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // reading a pipe may never end
		err = errors.New("it is not a regular file")
	case info.Size() > maxSize:
		err = fmt.Errorf("it is larger than %d KiB", maxSize>>10)
	default:
		content, err = os.ReadFile(name)
	}
	if cause, ok := errors.AsType[*os.PathError](err); ok {
		err = cause.Err
	}
	return attribute.FileText(string(content)), info, err
}

// maybeKey reports whether the name of a file may be the API key itself: no folder in it
// exists. Base64 has slashes, too.
func maybeKey(name string) bool {
	for folder := filepath.Dir(name); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if _, err := os.Stat(folder); err == nil {
			return false
		}
	}
	return !strings.HasPrefix(name, "~/") && !strings.HasPrefix(name, ".")
}

// notKeys are the mistakes that are seen in place of an API key, and what to do.
var notKeys = []struct {
	like   *regexp.Regexp
	advice string
}{
	{regexp.MustCompile(`^(?i:bearer)( |$)`), `begins with "Bearer". Remove this word: the provider adds it to the Authorization header`},
	{regexp.MustCompile("^(\".*\"|'.*'|`.*`)$"), "is in quotation marks. Remove them: they are sent as a part of the key"},
	{regexp.MustCompile(`^\$\{?[A-Z][A-Z0-9_]*\}?$`), "is the name of a shell variable, which Terraform does not expand. " +
		"Remove api_key to use " + apiKeyVariable + " from the environment"},
	{regexp.MustCompile("^" + apiKeyVariable + "="), `begins with "` + apiKeyVariable + `=". Remove the name of the variable`},
	{regexp.MustCompile(`^-----BEGIN`), "is a certificate or a private key. Set the API key of the service"},
	{regexp.MustCompile(`^\{`), "is a JSON object. Set only the API key that is in it"},
}

// checkKey returns an error if a text cannot be an API key. It does not repeat the
// text.
func checkKey(key string) error {
	for _, mistake := range notKeys {
		if mistake.like.MatchString(key) {
			return errors.New(mistake.advice)
		}
	}
	if err := headerText(key); err != nil {
		return fmt.Errorf("%w. Remove newlines and surrounding spaces", err)
	}
	return nil
}
