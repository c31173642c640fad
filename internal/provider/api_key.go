package provider

import (
	"errors"
	"fmt"
	"os"
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

// apiKey returns the API key.
func (m *model) apiKey(diags *diag.Diagnostics) string {
	from := m.keySource(diags)
	switch {
	case diags.HasError():
		return ""
	case from.value == "":
		diags.AddAttributeError(path.Root("api_key"), "Missing api_key", setAPIKey)
		return ""
	case from.isFile:
		return from.read(diags)
	}
	if err := checkKey(from.value); err != nil {
		diags.AddAttributeError(path.Root("api_key"), "Invalid API key", "The API key in "+from.name+" "+err.Error()+".")
	}
	return from.value
}

// read reads the API key from a file, without the white space around it. An error never
// repeats the content, nor the name of a file that does not exist, which may be the key.
func (s keySource) read(diags *diag.Diagnostics) string {
	text, info, err := readFile(s.value, maxKeyFile)
	key, must := strings.TrimSpace(text), s.name+" must be the path of a file that contains only an API key; found "
	switch {
	case info == nil: // Terraform prints the line of an argument
		diags.AddError("Invalid API key file", fmt.Sprintf("%sa file that cannot be read (%s), or the API key itself, so it is not shown. "+
			"Use the whole path: nothing expands ~ here, except pathexpand() in a configuration. To use a key that is not in a file, set api_key "+
			"or %s.", must, err, apiKeyVariable))
		return ""
	case err == nil && key == "":
		err = errors.New("it is empty")
	case err == nil:
		err = checkKey(key)
	}
	if err != nil {
		diags.AddAttributeError(path.Root("api_key_file"), "Invalid API key file", must+attribute.Quote(s.value)+": "+err.Error()+".")
	} else if runtime.GOOS != "windows" && info.Mode()&othersMayRead != 0 {
		diags.AddAttributeWarning(path.Root("api_key_file"), "API key file is readable by all users",
			fmt.Sprintf("All users of this machine can read the file in %s, %s (mode %04o). To prevent this, run chmod o-r for it.",
				s.name, attribute.Quote(s.value), info.Mode().Perm()))
	}
	return key
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

// checkKey returns an error if a text cannot be an API key. It does not repeat the
// text.
func checkKey(key string) error {
	scheme, _, _ := strings.Cut(key, " ")
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return errors.New(`begins with "Bearer". Remove this word: the provider adds it to the Authorization header`)
	case len(key) > 1 && strings.ContainsAny(key[:1], "\"'`") && key[0] == key[len(key)-1]:
		return errors.New("is in quotation marks. Remove them: they are sent as a part of the key")
	}
	if strings.HasPrefix(key, "$") {
		return errors.New("begins with $, such as ${{ secrets.NAME }}, which nothing has replaced by the key. Pass the key itself")
	}
	if err := headerText(key); err != nil {
		return fmt.Errorf("%w. Remove newlines and surrounding spaces", err)
	}
	return nil
}
