run "created" {}

run "after_59_days" {
  module {
    source = "./tests/clock"
  }
  variables {
    advance = "59d"
  }
}

run "not_due_yet" {
  assert {
    condition     = output.certificate_id == run.created.certificate_id
    error_message = "The certificate is renewed more than 30 days before its end."
  }
}

run "a_day_later" {
  module {
    source = "./tests/clock"
  }
  variables {
    advance = "1d"
  }
}

run "renewed" {
  assert {
    condition     = output.certificate_id != run.created.certificate_id
    error_message = "The certificate is not renewed 30 days before its end."
  }
}
