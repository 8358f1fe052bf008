import { AuditAct } from "@docket/core/schema"
import { type Command, Option } from "commander"
import { finish } from "../finish.ts"
import { readCount } from "../read-count.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { type AuditOptions, auditLines } from "./audit-lines.ts"

/** Adds `audit`, which prints the audit log, to a command. */
export function addAuditCommand(unwritten: AbortSignal, above: Command): void {
  addServiceOptions(above.command("audit"))
    .description("list who did what, the last first")
    .option("--since <time>", "from then on: 90m, 12h, 7d, or a date as 2026-01-31")
    .option("--until <time>", "up to then, as --since; of a date, all of that day")
    .option(
      "--person <who>",
      "only what this person did: the e-mail address of a member, the name of who is gone too, or an id",
    )
    .addOption(new Option("--act <act>", "only entries of this act").choices(AuditAct.options))
    .option("--text <text>", "only entries with this text in their ids, names and choices")
    .option("--limit <count>", "so many at most; 100 unless --json", readCount)
    .option("--json", "one JSON object a line, all of them")
    .action((options: ServiceOptions & AuditOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          for await (const line of auditLines(client, options, Date.now())) process.stdout.write(`${line}\n`)
        }),
      ),
    )
}
