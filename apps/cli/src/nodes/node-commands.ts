import { visibleText } from "@docket/core/rule"
import { type ListedNode, NodeID } from "@docket/core/schema"
import { type Command, InvalidArgumentError } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { nodeLines } from "./node-lines.ts"

/** `docket nodes list`, `drain` and `resume`: the processes of the service, for people who run it. */
export function addNodeCommands(unwritten: AbortSignal, program: Command): void {
  const nodes = program.command("nodes").description("the processes of the service, and what they work on")
  const print = (text: string) => process.stdout.write(`${text}\n`)

  addServiceOptions(nodes.command("list", { isDefault: true }))
    .description("list the nodes with their hosts, what they work on, and what waits for them")
    .option("--json", "as JSON, for programs")
    .action((options: ServiceOptions & { json?: boolean }) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const list = await client.nodes.list.query()
          if (options.json) print(JSON.stringify(list, null, 2))
          else for (const line of nodeLines(list)) print(line)
        }),
      ),
    )

  for (const [name, words, said] of [
    ["drain", "let a worker take no more sessions", "takes no more sessions"],
    ["resume", "let a worker take sessions again", "takes sessions again"],
  ] as const)
    addServiceOptions(nodes.command(name))
      .description(words)
      .argument("<node>", "as docket nodes lists it", readNodeID)
      .action((nodeID: string, options: ServiceOptions) =>
        finish(
          unwritten,
          withService(options, async ({ client }) => {
            print(outcome(await client.nodes[name].mutate({ nodeID }), said))
          }),
        ),
      )
}

/** @throws InvalidArgumentError */
function readNodeID(given: string): string {
  if (NodeID.safeParse(given).success) return given
  throw new InvalidArgumentError("Ids of nodes begin with nod_; docket nodes lists them.")
}

function outcome({ id, host, state }: ListedNode, said: string): string {
  const node = `${id} on ${visibleText(host.name)}`
  return state === "gone" ? `${node} is gone; once it is back, it ${said}` : `${node} ${said}`
}
