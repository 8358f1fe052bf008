import type { Command } from "commander"
import { projectDirectory, projectOption } from "../connect/project-directory.ts"
import { finish } from "../finish.ts"
import { openedProject } from "../known-project.ts"
import { openProject } from "../open-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { agentLines, readAgentText, showAgent } from "./agents.ts"
import { toolsOf } from "./tool-lines.ts"

interface AgentOptions extends ServiceOptions {
  project?: string
}

/** `docket agents list`, `show` and `create`. */
export function addAgentCommands(unwritten: AbortSignal, program: Command): void {
  const agents = program.command("agents").description("the agents of a project, and making one")
  const print = (lines: string[]) => process.stdout.write(lines.map((line) => `${line}\n`).join(""))

  withProject(agents.command("list", { isDefault: true }))
    .description("list agents: name, who talks to them, model, file and tools; and what is wrong with them")
    .option("--all", "hidden ones too, with which Docket writes titles and summaries")
    .option("--json", "all of them as JSON, for programs")
    .action((options: AgentOptions & { all?: boolean; json?: boolean }) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const projectID = await openedProject(service, options.project)
          const overview = await service.client.agent.overview.query({ projectID })
          if (options.json) {
            print([JSON.stringify(overview, null, 2)])
            return
          }
          const agents = options.all ? overview.agents : overview.agents.filter(({ hidden }) => !hidden)
          const shown = { ...overview, agents }
          print(agentLines(shown, await toolsOf(service.client, projectID, shown)))
        }),
      ),
    )

  withProject(agents.command("show"))
    .description("show an agent: its rules, its files and its text")
    .argument("<name>")
    .action((name: string, options: AgentOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          print(await showAgent(service.client, await openedProject(service, options.project), name))
        }),
      ),
    )

  withProject(agents.command("create"))
    .description("write a new agent's file, from a Markdown text")
    .argument("<name>")
    .argument("[file]", "the text; - reads it from stdin", "-")
    .option("--user", "for you, in every project")
    .option("--replace", "let it count in the place of an agent of that name")
    .action((name: string, file: string, options: AgentOptions & { user?: boolean; replace?: boolean }) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const text = await readAgentText(file, process.stdin)
          const directory = await projectDirectory(service, options.project)
          const { id: projectID } = await openProject(service.client, directory)
          const owner = options.user ? "user" : "project"
          const made = await service.client.agent.create.mutate({
            projectID,
            owner,
            name,
            text,
            replaces: options.replace ?? false,
          })
          print([made.counts ? `wrote ${made.file}` : `wrote ${made.file}; it counts once you trust the project`])
        }),
      ),
    )
}

function withProject(command: Command): Command {
  return addServiceOptions(command).option("--project <directory>", projectOption)
}
