import { Command } from "commander"
import packageJson from "../package.json" with { type: "json" }
import { addAcpCommand } from "./acp/acp-command.ts"
import { addAgentCommands } from "./agents/agent-commands.ts"
import { addAttachCommand } from "./attach/attach-command.ts"
import { addAuditCommand } from "./audit/audit-command.ts"
import { addCompletionCommands } from "./completion/completion-commands.ts"
import { addConfigCommands } from "./config/config-commands.ts"
import { addDescribeCommand } from "./describe/describe-command.ts"
import { addDoctorCommand } from "./doctor/doctor-command.ts"
import { exitCode } from "./exit-code.ts"
import { finish } from "./finish.ts"
import { addHelpCommand } from "./help-command.ts"
import { addInstallationCommands } from "./installation/installation-commands.ts"
import { addLspCommand } from "./lsp/lsp-command.ts"
import { addMcpCommands } from "./mcp/mcp-commands.ts"
import { addMigrateCommand } from "./migrate/migrate-command.ts"
import { addModelCommands } from "./models/model-commands.ts"
import { addNodeCommands } from "./nodes/node-commands.ts"
import { addTopCommand } from "./nodes/top-command.ts"
import { addOperatorCommands } from "./operate/operator-commands.ts"
import { addPackageCommands } from "./package/package-commands.ts"
import { addPermissionCommands } from "./permissions/permission-commands.ts"
import { addPluginCommands } from "./plugin/plugin-commands.ts"
import { addCredentialCommands } from "./project/credential-commands.ts"
import { addProjectCommands } from "./project/project-commands.ts"
import { addLoginCommands } from "./remote/login-commands.ts"
import { addRunCommand } from "./run/run-command.ts"
import { addSecretCommands } from "./secrets/secret-commands.ts"
import { serve } from "./serve.ts"
import { addSessionCommands } from "./sessions/session-commands.ts"
import { addShareCommands } from "./share/share-commands.ts"
import { addStatsCommand } from "./stats/stats-command.ts"
import { addTeamCommands } from "./team/team-commands.ts"
import { addTenantCommands } from "./tenant/tenant-commands.ts"
import { addTokenCommands } from "./token/token-commands.ts"
import { addTransferCommands } from "./transfer/transfer-commands.ts"
import { addTrustCommands } from "./trust/trust-commands.ts"

/** Creates the `docket` program with all its commands. A command stops when `unwritten` aborts: its output is lost. */
export function createProgram(unwritten: AbortSignal): Command {
  const program = new Command("docket")
    .version(packageJson.version, "--version", "show the version")
    .description("Coding agents that plan, delegate and edit, on your own machine.")
    .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCode.done : exitCode.usage))

  program
    .command("serve")
    .description("start the service and the web app (its own options: docket serve --help)")
    .argument("[options...]")
    .allowUnknownOption()
    .helpOption(false)
    .action((args: string[]) => finish(unwritten, serve(args)))

  addRunCommand(unwritten, program)
  addAttachCommand(unwritten, program)
  addSessionCommands(unwritten, program)
  addStatsCommand(unwritten, program)
  addLoginCommands(unwritten, program)
  addAcpCommand(unwritten, program)
  addDoctorCommand(unwritten, program)
  addConfigCommands(unwritten, program)
  addLspCommand(unwritten, program)
  addMcpCommands(unwritten, program)
  addPluginCommands(unwritten, program)
  addMigrateCommand(unwritten, program)
  addShareCommands(unwritten, program)
  addDescribeCommand(unwritten, program)
  addTransferCommands(unwritten, program)
  addTrustCommands(unwritten, program)
  addAgentCommands(unwritten, program)
  addModelCommands(unwritten, program)
  addPermissionCommands(unwritten, program)
  addProjectCommands(unwritten, program)
  addCredentialCommands(unwritten, program)
  addPackageCommands(unwritten, program)
  addTokenCommands(unwritten, program)
  addTenantCommands(unwritten, program)
  addNodeCommands(unwritten, program)
  addTopCommand(unwritten, program)
  addAuditCommand(unwritten, program)
  addTeamCommands(unwritten, program)
  addOperatorCommands(unwritten, program)
  addSecretCommands(unwritten, program)
  addInstallationCommands(unwritten, program)
  addHelpCommand(program)
  // Last, because it describes all others to shells.
  addCompletionCommands(unwritten, program)
  return program
}
