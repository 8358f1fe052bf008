import { setTimeout as delay } from "node:timers/promises"
import { type DocketClient, httpStatus } from "@docket/client"
import { type Command, InvalidArgumentError } from "commander"
import { createScreen } from "../attach/terminal-screen.ts"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { awaitedTrees } from "../sessions/awaited-trees.ts"
import { type TopFacts, topLines } from "./top-lines.ts"

interface TopOptions extends ServiceOptions {
  every: number
  once?: boolean
  json?: boolean
}

/** How many sessions are looked at, the newest first. */
const mostSessions = 200

/** `docket top`: what the service does, again and again. */
export function addTopCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("top"))
    .description("watch the nodes with what they use, what waits, and the sessions at work; Ctrl+C ends it")
    .option("--every <seconds>", "how often it looks", readSeconds, 1)
    .option("--once", "look once, as it also does where its output is no terminal")
    .option("--json", "look once, as JSON for programs")
    .action((options: TopOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const { stdout } = process
          if (options.json) return void stdout.write(`${JSON.stringify(await read(client), null, 2)}\n`)
          if (options.once || !stdout.isTTY) return void stdout.write(`${topLines(await read(client)).join("\n")}\n`)
          await watch(client, options.every * 1_000, unwritten)
        }),
      ),
    )
}

/** @throws InvalidArgumentError */
function readSeconds(given: string): number {
  const seconds = Number(given)
  if (seconds >= 0.2 && seconds <= 3_600) return seconds
  throw new InvalidArgumentError("Give seconds from 0.2 to 3600.")
}

async function watch(client: DocketClient, ms: number, unwritten: AbortSignal): Promise<void> {
  const leave = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => leave.abort())
  const ended = AbortSignal.any([leave.signal, unwritten])
  const screen = createScreen(process.stdout)
  while (!ended.aborted) {
    const lines = topLines(await read(client))
    // The board is drawn again in its place, which needs all of it in sight.
    screen.setBoard(lines.slice(0, Math.max(3, (process.stdout.rows ?? 24) - 1)))
    await delay(ms, undefined, { signal: ended }).catch(() => {})
  }
}

async function read(client: DocketClient): Promise<TopFacts> {
  const [nodes, { items }, awaited] = await Promise.all([
    client.nodes.list.query().catch((error: unknown) => {
      // Of a team's service, only who runs it sees the nodes.
      if (httpStatus(error) === 403) return null
      throw error
    }),
    client.session.list.query({ limit: mostSessions }),
    awaitedTrees(client),
  ])
  return { nodes, sessions: items, awaited, now: nodes?.now ?? Date.now() }
}
