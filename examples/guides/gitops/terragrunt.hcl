terraform {
  extra_arguments "save" {
    commands  = ["plan"]
    arguments = ["-out=unit.tfplan"]
  }

  before_hook "check" {
    commands = ["plan", "apply"]
    execute  = ["sh", "${get_repo_root()}/check.sh"]
  }

  after_hook "gate" {
    commands = ["plan"]
    execute  = ["sh", "${get_repo_root()}/gate.sh", "unit.tfplan"]
  }
}
