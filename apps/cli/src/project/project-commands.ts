import { visibleText } from "@docket/core/rule"
import type { Command } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { tableLines } from "../table.ts"

interface AddOptions extends ServiceOptions {
  ref?: string
  credential?: string
  subdirectory?: string
}

/** `docket project list` and `add`: what agents work in. */
export function addProjectCommands(unwritten: AbortSignal, program: Command): void {
  const projects = program.command("project").description("the projects of the service, also those of repositories")
  const print = (text: string) => void process.stdout.write(`${text}\n`)

  addServiceOptions(projects.command("list", { isDefault: true }))
    .description("list the projects with their directories or repositories")
    .option("--json", "as JSON, for programs")
    .action((options: ServiceOptions & { json?: boolean }) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const found = await client.project.list.query()
          if (options.json) return print(JSON.stringify(found, null, 2))
          const rows = found.map(({ name, directory, repository }) => [name, directory, repository?.credential ?? ""])
          if (rows.length === 0)
            return print("There are no projects yet: docket project add <url>, or open a directory.")
          for (const line of tableLines([["name", "where", "credential"], ...rows])) print(line)
        }),
      ),
    )

  addServiceOptions(projects.command("add"))
    .description("add a repository as a project: any host of the service may work in it")
    .argument("<url>", "its address for HTTPS, as https://git.example.org/team/shop.git")
    .option("--ref <branch>", "the branch from which sessions begin; that of the server when left out")
    .option("--credential <name>", "what signs in to the server, as docket credential lists it")
    .option("--subdirectory <path>", "the directory of the project within the repository")
    .action((url: string, { ref, credential, subdirectory, ...options }: AddOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const given = {
            ...{ url },
            ...(ref !== undefined && { ref }),
            ...(credential !== undefined && { credential }),
            ...(subdirectory !== undefined && { subdirectory }),
          }
          const project = await client.project.add.mutate(given)
          print(`${visibleText(project.name)} is a project now: ${visibleText(project.directory)}`)
        }),
      ),
    )
}
