import { mkdir, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"

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

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish()
const Request = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: Content })) })

/** Steps with a tool call in a turn, before its answer. */
export const toolSteps = 2
/** Reported usage of each call. */
export const callUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

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
  const server = createServer((request, response) => {
    answer(request, response, { calls, callMs, toolCall }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the provider has no port")
  const options = { baseURL: `http://127.0.0.1:${address.port}/v1`, apiKey: "test" }
  const models = { slow: { name: "Slow", tool_call: true } }
  const provider = { slow: { npm: "@ai-sdk/openai-compatible", name: "Slow", options, models } }
  return {
    calls,
    async configure(home) {
      const directory = join(home, ".config/docket")
      await mkdir(directory, { recursive: true })
      const config = { model: "slow/slow", small_model: "slow/slow", permission: "allow", provider, lsp: false }
      await writeFile(join(directory, "docket.json"), JSON.stringify(config))
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { calls, callMs, toolCall }: { calls: ModelCall[]; callMs: number; toolCall: ToolCallOf },
): Promise<void> {
  let body = ""
  for await (const chunk of request) body += chunk
  const { messages } = Request.parse(JSON.parse(body))
  const session = textOf(messages.find(({ role }) => role === "user")?.content)
  const call: ModelCall = { session, begun: performance.now(), ended: null }
  calls.push(call)
  response.once("close", () => {
    call.ended = performance.now()
  })
  response.writeHead(200, { "content-type": "text/event-stream" })
  const write = (delta: object, finish: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }]
    const usage = finish === null ? null : callUsage
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "slow", choices, usage }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  const parts = 4
  for (let part = 0; part < parts && !response.destroyed; part++) {
    write({ role: "assistant", content: `part ${part} ` })
    await sleep(callMs / parts)
  }
  const prompted = messages.findLastIndex(({ role }) => role === "user")
  const steps = messages.slice(prompted).filter(({ role }) => role === "tool").length
  if (steps < toolSteps) {
    const { name, args } = toolCall(textOf(messages[prompted]?.content), steps)
    const called = { name, arguments: JSON.stringify(args) }
    write({ tool_calls: [{ index: 0, id: `call_${calls.length}_${steps}`, type: "function", function: called }] })
  }
  write({}, steps < toolSteps ? "tool_calls" : "stop")
  response.end("data: [DONE]\n\n")
}

function textOf(content: z.infer<typeof Content>): string {
  return typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("")
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
