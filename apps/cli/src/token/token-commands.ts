import type { Command } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { createToken, listTokens, revokeToken } from "./tokens.ts"

/** `docket token create`, `list` and `revoke`. */
export function addTokenCommands(unwritten: AbortSignal, program: Command): void {
  const tokens = program.command("token").description("tokens for programs that use /v1")

  addServiceOptions(tokens.command("create"))
    .description("make a bearer token; it is printed once and kept only as a hash")
    .option(
      "--tenant <name>",
      "whose todos and memory it opens, made with its first token; your workspace when left out",
    )
    .requiredOption("--name <text>", "what it is for")
    .action((options: ServiceOptions & { tenant?: string; name: string }) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          process.stdout.write(`${await createToken(service, options)}\n`)
        }),
      ),
    )

  addServiceOptions(tokens.command("list"))
    .description("list the tokens: id, tenant, created, last used, name")
    .option("--tenant <name>", "only those of one tenant")
    .option("--all", "revoked ones too")
    .action((options: ServiceOptions & { tenant?: string; all?: boolean }) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          for (const line of await listTokens(service, options)) process.stdout.write(`${line}\n`)
        }),
      ),
    )

  addServiceOptions(tokens.command("revoke"))
    .description("end a token: whoever uses it is refused from now on")
    .argument("<id>", "as docket token list shows it")
    .action((id: string, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          process.stdout.write(`${await revokeToken(service, id)}\n`)
        }),
      ),
    )
}
