import type { Command } from "commander"
import { askOnTerminal } from "../ask-on-terminal.ts"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { type ConfirmInstall, describePackage, installPackage, listPackages, removePackages } from "./packages.ts"

/** `docket package install`, `list` and `remove`: packages of npm that providers, plugins and MCP servers need. */
export function addPackageCommands(unwritten: AbortSignal, program: Command): void {
  const packages = program
    .command("package")
    .description("packages of npm that Docket may run: for providers, plugins and MCP servers")

  addServiceOptions(packages.command("install"))
    .description("install a package for a provider, a plugin or an MCP server: it is shown first, and you agree or not")
    .argument("<package>", "its name, or name@version")
    .option("--yes", "agree without being asked")
    .action((spec: string, options: ServiceOptions & { yes?: boolean }) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          process.stdout.write(`${await installPackage(client, spec, options.yes ? tell : ask)}\n`)
        }),
      ),
    )

  addServiceOptions(packages.command("list"))
    .description("list what is installed, and where it came from")
    .action((options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          for (const line of await listPackages(client)) process.stdout.write(`${line}\n`)
        }),
      ),
    )

  addServiceOptions(packages.command("remove"))
    .description("remove an installed package; what runs already ends with the service")
    .argument("<package>", "its name, or name@version")
    .action((spec: string, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          for (const line of await removePackages(client, spec)) process.stdout.write(`${line}\n`)
        }),
      ),
    )
}

const tell: ConfirmInstall = async (facts) => {
  process.stderr.write(`${describePackage(facts).join("\n")}\n`)
  return true
}

const ask: ConfirmInstall = async (facts) => {
  const answer = await askOnTerminal(
    { input: process.stdin, output: process.stderr },
    {
      text: `${describePackage(facts).join("\n")}\n`,
      question: "Install it? [y/N] ",
      otherwise: "look at the package in Settings, or add --yes to install it all the same",
    },
  )
  return /^y(?:es)?$/i.test(answer)
}
