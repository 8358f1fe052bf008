import type { Command } from "commander"
import type { Connected } from "../connect/connect.ts"
import { finish } from "../finish.ts"
import { readSessionID } from "../read-session-id.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"

/** `docket describe`. */
export function addDescribeCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("describe"))
    .description(
      "let a small model write a title and a pull-request text for a session's changes; the newest without one",
    )
    .argument("[session]", "as docket sessions shows it", readSessionID)
    .action((session: string | undefined, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          process.stdout.write(await describeSession(service, session))
        }),
      ),
    )
}

/** Title, empty line and text, as git takes a message. @throws UsageError when there is no session */
async function describeSession({ client }: Pick<Connected, "client">, given: string | undefined): Promise<string> {
  const sessionID = given ?? (await client.session.list.query({ limit: 1 })).items[0]?.session.id
  if (sessionID === undefined) throw new UsageError("there is no session to describe")
  const { title, text } = await client.changes.describe.mutate({ sessionID })
  return text === "" ? `${title}\n` : `${title}\n\n${text}\n`
}
