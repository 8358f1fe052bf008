import type { Command } from "commander"
import { askOnTerminal } from "../ask-on-terminal.ts"
import { projectOption } from "../connect/project-directory.ts"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { type ConfirmTrust, trustDirectory, untrustDirectory } from "./trust.ts"

/** `docket trust` and `docket untrust`: whether the project's own configuration is in effect. */
export function addTrustCommands(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("trust"))
    .description(
      "show what a project's own files bring (settings, agents, commands, skills, instructions), and let it count as it is now once you agree",
    )
    .argument("[directory]", projectOption)
    .option("--yes", "agree without being asked")
    .action((directory: string | undefined, options: ServiceOptions & { yes?: boolean }) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          process.stdout.write(`${await trustDirectory(service, directory, options.yes ? tell : ask)}\n`)
        }),
      ),
    )

  addServiceOptions(program.command("untrust"))
    .description("take back all trust in what a project's own files bring")
    .argument("[directory]", `${projectOption}; it may be gone`)
    .action((directory: string | undefined, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          process.stdout.write(`${await untrustDirectory(service, directory)}\n`)
        }),
      ),
    )
}

const tell: ConfirmTrust = async (lines) => {
  process.stderr.write(`${lines.join("\n")}\n`)
  return true
}

const ask: ConfirmTrust = async (lines) => {
  const answer = await askOnTerminal(
    { input: process.stdin, output: process.stderr },
    {
      text: `${lines.join("\n")}\n`,
      question: "Trust it? [y/N] ",
      otherwise: "look at it in the browser, or add --yes to trust it all the same",
    },
  )
  return /^y(?:es)?$/i.test(answer)
}
