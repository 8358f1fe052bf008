import type { Command } from "commander"
import { projectOption } from "../connect/project-directory.ts"
import { finish } from "../finish.ts"
import { openedProject } from "../known-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { lspLines } from "./lsp-lines.ts"

interface LspOptions extends ServiceOptions {
  project?: string
  json?: boolean
  restart?: string
}

/** `docket lsp`: the language servers of a project as the running service has them. */
export function addLspCommand(unwritten: AbortSignal, program: Command): void {
  const show = async (options: LspOptions) =>
    withService(options, async (service) => {
      const { client } = service
      const projectID = await openedProject(service, options.project)
      if (options.restart !== undefined) await client.lsp.restart.mutate({ projectID, server: options.restart })
      const servers = await client.lsp.list.query({ projectID })
      const text = options.json ? JSON.stringify(servers, null, 2) : lspLines(servers).join("\n")
      process.stdout.write(`${text}\n`)
    })
  addServiceOptions(program.command("lsp"))
    .description("list the language servers that check what agents write, and why some do not run")
    .option("--project <directory>", projectOption)
    .option("--restart <server>", "stop this one first; the next file that needs it starts it again")
    .option("--json", "as JSON, for programs")
    .action((options: LspOptions) => finish(unwritten, show(options)))
}
