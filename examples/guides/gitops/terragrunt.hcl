terraform {
  extra_arguments "save" {
    commands  = ["plan"]
    arguments = ["-out=unit.tfplan"]
  }

  before_hook "check" {
    commands = ["plan", "apply"]
    execute  = ["sh", "${get_repo_root()}/check.sh"]
  }

  # Apply the saved plan: terragrunt apply unit.tfplan
  before_hook "gate" {
    commands = ["apply"]
    execute  = ["sh", "${get_repo_root()}/gate.sh", "unit.tfplan"]
  }

  after_hook "gate" {
    commands = ["plan"]
    execute  = ["sh", "${get_repo_root()}/gate.sh", "unit.tfplan"]
  }
}
