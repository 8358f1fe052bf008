import { mkdir, writeFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { answerStream, Content, startModelServer, textOf } from "./model-server.ts"

/** One call of the model: when it began and when it ended or was aborted (ms of `performance.now`). */
export interface ModelCall {
  /** The first user message of the conversation. */
  session: string
  begun: number
  ended: number | null
}

export interface RecordingProvider {
  calls: ModelCall[]
  /** Makes the recording provider the only one of the user with this home directory. */
  configure(home: string): Promise<void>
  stop(): Promise<void>
}

const Request = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: Content })) })

/** Steps with a tool call in a turn, before its answer. */
export const toolSteps = 2

/** The tool call of a step. */
type ToolCallOf = (prompt: string, step: number) => { name: string; args: object }
const looksAround: ToolCallOf = (_, step) => ({ name: "glob", args: { pattern: `*.${step}` } })

/**
 * A model that records when it works. It answers each prompt slowly, over `callMs`, after two steps with a tool call.
 */
export async function startRecordingProvider(
  callMs: number,
  toolCall: ToolCallOf = looksAround,
): Promise<RecordingProvider> {
  const calls: ModelCall[] = []
  const { provider, stop } = await startModelServer({ id: "slow", name: "Slow" }, (request, response) =>
    answer(request, response, { calls, callMs, toolCall }),
  )
  return {
    calls,
    async configure(home) {
      const directory = join(home, ".config/docket")
      await mkdir(directory, { recursive: true })
      const config = {
        model: "slow/slow",
        small_model: "slow/slow",
        permission: "allow",
        provider: { slow: provider },
        lsp: false,
      }
      await writeFile(join(directory, "docket.json"), JSON.stringify(config))
    },
    stop,
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { calls, callMs, toolCall }: { calls: ModelCall[]; callMs: number; toolCall: ToolCallOf },
): Promise<void> {
  const { messages } = Request.parse(JSON.parse(await text(request)))
  const session = textOf(messages.find(({ role }) => role === "user")?.content)
  const call: ModelCall = { session, begun: performance.now(), ended: null }
  calls.push(call)
  response.once("close", () => {
    call.ended = performance.now()
  })
  const stream = answerStream(response, "slow")
  const parts = 4
  for (let part = 0; part < parts && !response.destroyed; part++) {
    stream.text(`part ${part} `)
    await sleep(callMs / parts)
  }
  const prompted = messages.findLastIndex(({ role }) => role === "user")
  const steps = messages.slice(prompted).filter(({ role }) => role === "tool").length
  if (steps < toolSteps)
    stream.call(0, `call_${calls.length}_${steps}`, toolCall(textOf(messages[prompted]?.content), steps))
  stream.end(steps < toolSteps ? "tool_calls" : "stop")
}

/** Pairs of calls of one session that overlapped. */
export function overlaps(calls: ModelCall[]): [ModelCall, ModelCall][] {
  const bySession = Map.groupBy(calls, ({ session }) => session)
  return [...bySession.values()].flatMap((own) =>
    own.flatMap((one, n) =>
      own.slice(n + 1).flatMap((other): [ModelCall, ModelCall][] => {
        const isBeside = one.begun < (other.ended ?? Infinity) && other.begun < (one.ended ?? Infinity)
        return isBeside ? [[one, other]] : []
      }),
    ),
  )
}
