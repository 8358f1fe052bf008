import { type Command, Option } from "commander"
import { projectOption } from "../connect/project-directory.ts"
import { finish } from "../finish.ts"
import { readSessionID } from "../read-session-id.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { type ExportWanted, exportSession } from "./export-session.ts"
import { type ImportWanted, importSession } from "./import-session.ts"

/** `docket export` and `import`. */
export function addTransferCommands(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("export"))
    .description("write a session with all that it delegated to a file; without one, the newest")
    .argument("[session]", "as docket sessions shows it", readSessionID)
    .addOption(
      new Option("--format <format>", "json can be imported again, markdown is for people")
        .choices(["json", "markdown"])
        .default("json"),
    )
    .option("-o, --out <file>", "where to; stdout when left out")
    .option("--sanitize", "replace what looks secret, as a share does")
    .action((session: string | undefined, options: ServiceOptions & ExportWanted) =>
      finish(
        unwritten,
        withService(options, (service) => exportSession(service, session, options)),
      ),
    )

  addServiceOptions(program.command("import"))
    .description("bring a session from a file of Docket, opencode export or Claude Code (a .jsonl of its projects)")
    .argument("<file>")
    .option("--project <directory>", projectOption)
    .option("--new-ids", "as another session than the one of which the file was made")
    .action((file: string, options: ServiceOptions & ImportWanted) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const { sessionID, report } = await importSession(service, file, options)
          process.stderr.write(`${report.join("\n")}\n`)
          process.stdout.write(`${sessionID}\n`)
        }),
      ),
    )
}
