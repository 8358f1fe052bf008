import { visibleText } from "@docket/core/rule"
import type { Command } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { tableLines } from "../table.ts"
import { readToken } from "./read-token.ts"

interface SaveOptions extends ServiceOptions {
  for: string
  username?: string
  secretFile: string
}

/** `docket credential list`, `save` and `remove`: what signs in to servers of repositories. */
export function addCredentialCommands(unwritten: AbortSignal, program: Command): void {
  const credentials = program.command("credential").description("what signs in to servers of repositories")
  const print = (text: string) => void process.stdout.write(`${text}\n`)

  addServiceOptions(credentials.command("list", { isDefault: true }))
    .description("list the credentials with their servers; tokens are never shown")
    .action((options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const rows = (await client.credential.list.query()).map(({ name, origin, username }) => [
            name,
            origin,
            username,
          ])
          if (rows.length === 0) return print("There are no credentials.")
          for (const line of tableLines([["name", "server", "username"], ...rows])) print(line)
        }),
      ),
    )

  addServiceOptions(credentials.command("save"))
    .description("save a token for a server; it replaces that of the same name")
    .argument("<name>", "how projects name it, as team-shop")
    .requiredOption("--for <origin>", "the server that gets it, as https://git.example.org")
    .option("--username <name>", "what the server expects beside a token; most take any name")
    .option("--secret-file <file>", "a file that holds the token; - for standard input", "-")
    .action((name: string, { for: origin, username, secretFile, ...options }: SaveOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const token = await readToken(secretFile, process.stdin)
          const given = { name, origin, token, ...(username !== undefined && { username }) }
          const saved = await client.credential.save.mutate(given)
          print(`${visibleText(saved.name)} signs in to ${visibleText(saved.origin)}`)
        }),
      ),
    )

  addServiceOptions(credentials.command("remove"))
    .description("remove a credential; projects that name it cannot be fetched any more")
    .argument("<name>", "as docket credential list shows it")
    .action((name: string, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          await client.credential.remove.mutate({ name })
          print(`${visibleText(name)} is removed`)
        }),
      ),
    )
}
