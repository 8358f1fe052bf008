import type { Command } from "commander"
import { finish } from "../finish.ts"
import { openedProject } from "../known-project.ts"
import { readSessionID, readSessionIDs } from "../read-session-id.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { awaitedTrees } from "./awaited-trees.ts"
import { confirmRemoval } from "./confirm-removal.ts"
import { parseLimit, sessionLine } from "./session-line.ts"
import { sessionLines } from "./session-lines.ts"

interface ListOptions extends ServiceOptions {
  limit: number
  project?: string
  search?: string
  archived?: boolean
  json?: boolean
}

/** `docket sessions list`, `show`, `archive`, `restore` and `delete`. */
export function addSessionCommands(unwritten: AbortSignal, program: Command): void {
  const sessions = program.command("sessions").description("the sessions of the running service")
  const print = (text: string) => process.stdout.write(`${text}\n`)
  const json = (value: unknown) => print(JSON.stringify(value, null, 2))

  addServiceOptions(sessions.command("list", { isDefault: true }))
    .description("list the newest sessions")
    .option("--limit <count>", "how many", parseLimit, 20)
    .option("--project <directory>", "only those of a project")
    .option("--search <words>", "only those with these words in their title")
    .option("--archived", "those that are archived")
    .option("--json", "as JSON, for programs")
    .action(({ limit, search, ...options }: ListOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const of = options.project === undefined ? {} : { projectID: await openedProject(service, options.project) }
          const asked = { ...of, limit, archived: options.archived ?? false, ...(search !== undefined && { search }) }
          const { items } = await service.client.session.list.query(asked)
          if (options.json) json(items)
          else {
            const awaited = await awaitedTrees(service.client)
            for (const item of items) print(sessionLine(item, awaited))
          }
        }),
      ),
    )

  addServiceOptions(sessions.command("show"))
    .description("show a session: what it does, its todos, what it delegated, and what waits for you")
    .argument("<session>", "as docket sessions lists it", readSessionID)
    .option("--json", "as JSON, for programs")
    .action((sessionID: string, options: ServiceOptions & { json?: boolean }) =>
      finish(
        unwritten,
        withService(options, async ({ client, url }) => {
          const tree = await client.session.tree.query({ sessionID })
          if (options.json) json(tree)
          else {
            const awaited = (await awaitedTrees(client)).get(tree.sessions[0]?.rootID ?? "") ?? null
            for (const line of sessionLines(tree, { sessionID, desk: url, awaited })) print(line)
          }
        }),
      ),
    )

  for (const [name, archived, words] of [
    ["archive", true, "put sessions away: they stay, and lists no longer show them"],
    ["restore", false, "bring archived sessions back into lists"],
  ] as const)
    addServiceOptions(sessions.command(name))
      .description(words)
      .argument("<session...>", "as docket sessions lists them", readSessionIDs)
      .action((ids: string[], options: ServiceOptions) =>
        finish(
          unwritten,
          withService(options, async ({ client }) => {
            for (const sessionID of ids) await client.session.update.mutate({ sessionID, archived })
          }),
        ),
      )

  addServiceOptions(sessions.command("delete"))
    .description("stop sessions with all that they delegated, and remove them for good")
    .argument("<session...>", "as docket sessions lists them", readSessionIDs)
    .option("--yes", "without being asked")
    .action((ids: string[], { yes, ...options }: ServiceOptions & { yes?: boolean }) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const found = await Promise.all(ids.map((sessionID) => client.session.get.query({ sessionID })))
          if (!yes) await confirmRemoval(found, { input: process.stdin, output: process.stderr })
          for (const { id } of found) {
            await client.session.remove.mutate({ sessionID: id })
            print(`removed ${id}`)
          }
        }),
      ),
    )
}
