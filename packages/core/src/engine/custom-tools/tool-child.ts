/**
 * Runs one tool file in a process of its own: says which tools it exports, or makes one call. The request is the first line
 * of stdin, see `ChildRequest`; answers are lines of JSON on stdout.
 */
import { createInterface } from "node:readline"
import {
  boundedParts,
  boundedResult,
  checkedArguments,
  describeTool,
  importFile,
  isToolDefinition,
  readLine,
  registerModuleHooks,
  sendLine,
  type TrustedFiles,
  textOf,
  withinLimit,
  type Zod,
} from "../module-file/child-kit.ts"

const mostTools = 50

interface Request {
  file: string
  zod: string
  trusted: TrustedFiles | null
  call: { export: string; args: unknown; context: Record<string, unknown> } | null
}

/** Standard output is for answers; what a tool prints there goes to standard error. */
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
const leave = process.exit.bind(process)
process.exit = (() => {
  throw new Error("process.exit() is not for tools: return a result or throw an error instead.")
}) as typeof process.exit

const lines = createInterface({ input: process.stdin })
/** Settles questions to people by their number. */
const asked = new Map<number, PromiseWithResolvers<void>>()
const stop = new AbortController()

lines.on("line", (line) => {
  const message = readLine(line) as Request | { answer: number; refused: string | null } | { abort: true }
  if ("file" in message) void work(message)
  else if ("abort" in message) stop.abort()
  else {
    const question = asked.get(message.answer)
    if (message.refused === null) question?.resolve()
    else question?.reject(new Error(message.refused))
  }
})
lines.on("close", () => leave(0))

async function work(request: Request): Promise<void> {
  try {
    registerModuleHooks(request)
    const exports = await importFile(request.file)
    const { z } = (await import(request.zod)) as { z: Zod }
    sendLine(request.call === null ? { tools: described(exports, z) } : await made(exports, z, request.call))
  } catch (error) {
    sendLine({ error: textOf(error) })
  }
  leave(0)
}

function described(exports: Record<string, unknown>, z: Zod): object[] {
  const tools: object[] = []
  for (const [name, value] of Object.entries(exports)) {
    if (!isToolDefinition(value)) continue
    if (tools.length === mostTools) throw new Error(`It exports more than ${mostTools} tools.`)
    tools.push({ export: name, ...describeTool(value, z) })
  }
  return tools
}

async function made(exports: Record<string, unknown>, z: Zod, call: NonNullable<Request["call"]>): Promise<object> {
  const definition = exports[call.export]
  if (!isToolDefinition(definition)) throw new Error("The file does not export this tool any more.")
  const result = await definition.execute(checkedArguments(definition, z, call.args), {
    ...call.context,
    abort: stop.signal,
    metadata: (shown: Record<string, unknown>) => sendLine({ metadata: boundedParts(shown) }),
    ask: question,
  })
  return { result: boundedResult(result) }
}

let questions = 0

function question(request: object): Promise<void> {
  const answer = Promise.withResolvers<void>()
  asked.set(++questions, answer)
  sendLine({ ask: questions, request: withinLimit(request) })
  return answer.promise
}
