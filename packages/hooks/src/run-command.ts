import type { ExtensionPlace } from "@docket/core/extension-host"
import type { HookSet } from "@docket/core/hook-sets"
import type { HookHandler } from "@docket/core/schema"
import type { StartedProgram } from "@docket/core/start-program"
import type { Timers } from "@docket/core/timers"

/** How a hook ended. */
export interface HookEnd {
  /** Null when it was ended, or is no program. */
  exit: number | null
  stdout: string
  stderr: string
  /** Why it did not do what it was to do. */
  failure: string | null
  /** It was told to stop because the turn was. */
  isStopped?: true
}

export type CommandHandler = Extract<HookHandler, { type: "command" }>

export interface CommandRun {
  place: ExtensionPlace
  set: HookSet
  handler: CommandHandler
  /** Absolute and real. */
  cwd: string
  /** Where the scripts of the hook lie. */
  projectDirectory: string
  /** Directories that it reads besides the project. */
  readable: readonly string[]
  input: string
  timeoutMs: number
  /** The turn's; it no longer stops the hook once nothing waits for it. */
  signal: AbortSignal
  /** The service's. */
  closing: AbortSignal
  /** Called when it says that nothing is to wait for it; false: something does all the same. */
  onDetach?: () => boolean
}

/** Bytes of its standard output that are read; with more it is ended. */
const mostOutput = 1024 * 1024
/** Characters of its standard error that are kept. */
const mostErrors = 10_000

/** Runs a program of a hook, which ends with all that it started. */
export async function runCommand({ timers }: { timers: Timers }, run: CommandRun): Promise<HookEnd> {
  const { signal, closing } = run
  const empty = { exit: null, stdout: "", stderr: "" }
  if (signal.aborted || closing.aborted) return { ...empty, failure: null, isStopped: true }
  let program: StartedProgram | null = null
  let isOver = false
  const over = Promise.withResolvers<HookEnd>()
  const endWith = (end: HookEnd) => {
    over.resolve(end)
    isOver = true
    // Nobody waits for its end: what ignores a signal is killed seconds later.
    void program?.end().catch(() => {})
  }
  const late = () => endWith({ ...empty, failure: `it did not end within ${run.timeoutMs / 1_000} s and was stopped` })
  let forget = timers.after(run.timeoutMs, late)
  const stop = () => endWith({ ...empty, failure: null, isStopped: true })
  for (const each of [signal, closing]) each.addEventListener("abort", stop, { once: true })
  const work = async (): Promise<HookEnd> => {
    program = await start(run)
    if (isOver) await program.end()
    return readEnd(program, run.input, (said) => {
      const detached = detachment(said)
      if (detached === null || run.onDetach?.() !== true) return
      signal.removeEventListener("abort", stop)
      if (detached.ms === null) return
      forget()
      forget = timers.after(detached.ms, late)
    })
  }
  const failed = (error: unknown): HookEnd => ({
    ...empty,
    failure: error instanceof Error ? error.message : String(error),
  })
  try {
    return await Promise.race([over.promise, work().catch(failed)])
  } finally {
    forget()
    for (const each of [signal, closing]) each.removeEventListener("abort", stop)
  }
}

/** With a socket as its input bash takes itself for a login and reads files that print. */
const noStart = { bash: ["--norc"], sh: [] } as const

function start({ place, set, handler, cwd, projectDirectory, readable }: CommandRun): Promise<StartedProgram> {
  const { command, args, shell = "bash" } = handler
  return place.start({
    ...(args === undefined ? { file: shell, args: [...noStart[shell], "-c", command] } : { file: command, args }),
    cwd,
    env: { CLAUDE_PROJECT_DIR: projectDirectory },
    owner: "hook",
    confined: set.isOwn ? "free" : "sandbox",
    network: "project",
    mayWrite: true,
    readable,
  })
}

/** Its first line may say that it goes on in the background. */
function detachment(firstLine: string): { ms: number | null } | null {
  try {
    const said: unknown = JSON.parse(firstLine)
    if (typeof said !== "object" || said === null || !("async" in said) || said.async !== true) return null
    const seconds = "asyncTimeout" in said ? Number(said.asyncTimeout) : Number.NaN
    return { ms: seconds > 0 && seconds <= 3_600 ? seconds * 1_000 : null }
  } catch {
    return null
  }
}

async function readEnd(program: StartedProgram, input: string, onFirstLine: (line: string) => void): Promise<HookEnd> {
  let stderr = ""
  program.stderr.setEncoding("utf8").on("data", (said: string) => {
    stderr = `${stderr}${said}`.slice(0, mostErrors)
  })
  program.stdin.end(input)
  const [stdout, { exit, signal }] = await Promise.all([collect(program, onFirstLine), program.exited])
  // Nobody waits until what it started has ended, unless something went wrong.
  const { over } = exit === 0 || exit === 2 ? { over: null } : await program.ended
  const end = { exit, stdout: stdout ?? "", stderr }
  if (stdout === null) return { ...end, failure: `it wrote more than ${mostOutput / 1024 ** 2} MiB and was stopped` }
  if (over !== null) return { ...end, failure: `it reached its limit (${over.limit}) and was stopped` }
  if (exit === null) return { ...end, failure: `it was ended by ${signal ?? "a signal"}` }
  if (exit === 0 || exit === 2) return { ...end, failure: null }
  const words = stderr.trim().split("\n", 1)[0]?.slice(0, 300)
  return { ...end, failure: `it ended with exit code ${exit}${words ? `: ${words}` : ""}` }
}

/** Null when it writes too much. */
async function collect(program: StartedProgram, onFirstLine: (line: string) => void): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  let hasFirst = false
  for await (const chunk of program.stdout as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostOutput) {
      void program.end().catch(() => {})
      return null
    }
    chunks.push(chunk)
    if (hasFirst || !chunk.includes(10)) continue
    hasFirst = true
    const text = Buffer.concat(chunks).toString("utf8")
    onFirstLine(text.slice(0, text.indexOf("\n")))
  }
  return Buffer.concat(chunks).toString("utf8")
}
