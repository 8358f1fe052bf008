import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { z } from "zod"
import { maxNesting } from "../../acts/tool/parse-json.ts"
import { type ProgramRequest, type StartProgramDeps, startProgram } from "../../acts/tool/start-program.ts"
import { isTooRich } from "../../records/transfer/weigh-json.ts"
import { linesWithin } from "../module-file/lines-within.ts"
import { ShownOfCall, ToolDescription, ToolFileResult, ToolQuestion } from "../module-file/tool-messages.ts"

/** Most bytes of one message of the child; a longer one ends it before it is kept. */
const longestMessage = 16 * 1024 * 1024
/** What one message may hold; a tool that writes its own must not fill the memory or the stack of its reader. */
const richest = { containers: 50_000, members: 100_000, depth: maxNesting }
/** Questions of a call that wait for a person at once. */
const mostQuestions = 10
/** Bytes of standard error that are kept, the last ones. */
const keptErrors = 4_096

const child = fileURLToPath(new URL("tool-child.ts", import.meta.url))
const zodEntry = fileURLToPath(import.meta.resolve("zod"))

/** The directories that the child reads besides those of the project. */
export const childPlaces: readonly string[] = [
  path.dirname(child),
  path.dirname(fileURLToPath(new URL("../module-file/child-kit.ts", import.meta.url))),
  path.dirname(zodEntry),
  path.dirname(process.execPath),
]

const Described = ToolDescription.extend({ export: z.string().max(200) })
export type DescribedTool = z.infer<typeof Described>

const Message = z.union([
  z.object({ error: z.string() }),
  z.object({ tools: z.array(Described).max(50) }),
  z.object({ result: ToolFileResult }),
  z.object({ metadata: ShownOfCall }),
  z.object({ ask: z.int(), request: z.unknown() }),
])

/** What the child is asked for: without `call`, which tools the file exports. */
export interface ChildRequest {
  /** Real path. */
  file: string
  /** SHA-256 of the files below `within` that may be loaded, by real path; null for any file. */
  trusted: { within: string; files: Record<string, string> } | null
  call: { export: string; args: unknown; context: Record<string, unknown> } | null
}

export interface RunToolFileOptions {
  program: Pick<ProgramRequest, "owner" | "cwd" | "env" | "confine" | "bound">
  /** ms; then it is ended. Waiting for a person is left out. */
  timeoutMs: number
  signal?: AbortSignal
  onMetadata?(shown: ShownOfCall): void
  /** Rejects with the refusal. */
  onAsk?(question: ToolQuestion): Promise<void>
}

/**
 * Lets a tool file do one thing in a process of its own, which ends with it.
 * @throws Error that says what went wrong, with the end of what it wrote to standard error
 */
export async function runToolFile(
  deps: StartProgramDeps,
  request: ChildRequest,
  { program, timeoutMs, signal, onMetadata, onAsk }: RunToolFileOptions,
): Promise<{ tools: DescribedTool[] } | { result: ToolFileResult }> {
  signal?.throwIfAborted()
  const args = ["--disable-warning=ExperimentalWarning", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", child]
  const running = await startProgram(deps, { ...program, file: process.execPath, args })
  const { promise, resolve, reject } = Promise.withResolvers<{ tools: DescribedTool[] } | { result: ToolFileResult }>()
  let errors = ""
  let waiting = 0
  let spent = 0
  const write = (message: object) => running.stdin.write(`${JSON.stringify(message)}\n`)
  const receive = (bytes: Buffer) => {
    if (isTooRich(bytes, richest)) return reject(new Error("It answered with more values than are read."))
    const line = bytes.toString("utf8")
    const message = Message.safeParse(parsed(line)).data
    // A program that the tool started may print here too.
    if (message === undefined) errors = `${errors}${line}\n`.slice(-keptErrors)
    else if ("error" in message) reject(new Error(message.error))
    else if ("tools" in message || "result" in message) resolve(message)
    else if ("metadata" in message) onMetadata?.(message.metadata)
    else void answer(message.ask, message.request)
  }
  const answer = async (number: number, asked: unknown) => {
    waiting += 1
    try {
      if (waiting > mostQuestions) throw new Error(`At most ${mostQuestions} questions may wait at once.`)
      const question = ToolQuestion.safeParse(asked)
      if (!question.success || onAsk === undefined)
        throw new Error("ask() takes {permission, patterns, always}, all of them texts.")
      await onAsk(question.data)
      write({ answer: number, refused: null })
    } catch (error) {
      write({ answer: number, refused: error instanceof Error ? error.message : String(error) })
    } finally {
      waiting -= 1
    }
  }
  running.stdout.on(
    "data",
    linesWithin(longestMessage, receive, () => reject(new Error("It answered with more than 16 MiB."))),
  )
  running.stderr.on("data", (data: Buffer) => {
    errors = `${errors}${data.toString("utf8")}`.slice(-keptErrors)
  })
  const timer = setInterval(() => {
    if (waiting === 0) spent += tickMs
    if (spent >= timeoutMs) reject(new Error(`It did not end within ${timeoutMs / 1_000} seconds and was stopped.`))
  }, tickMs)
  const onAbort = () => {
    write({ abort: true })
    reject(signal?.reason)
  }
  signal?.addEventListener("abort", onAbort, { once: true })
  void running.ended.then(({ exit, signal: by, over }) => {
    const why =
      over === null ? `(${by ?? `exit code ${exit}`})` : "because it reached a limit of this project's programs"
    reject(new Error(`Its process ended before it had answered ${why}.`))
  })
  write({ ...request, zod: pathToFileURL(zodEntry).href })
  try {
    return await promise
  } catch (error) {
    if (signal?.aborted || !(error instanceof Error) || errors.trim() === "") throw error
    throw new Error(`${error.message}\nIt wrote to standard error:\n${errors.trim()}`, { cause: error })
  } finally {
    clearInterval(timer)
    signal?.removeEventListener("abort", onAbort)
    await running.end()
  }
}

const tickMs = 250

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
