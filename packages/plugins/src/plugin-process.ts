import { once } from "node:events"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { ExtensionLaunch, ExtensionPlace } from "@docket/core/extension-host"
import { linesWithin } from "@docket/core/lines-within"
import type { PlacedProgram, ProgramRoom } from "@docket/core/program-room"
import type { Timers } from "@docket/core/timers"
import { type ShownOfCall, ToolQuestion } from "@docket/core/tool-messages"
import type { AskDocket } from "./ask-docket.ts"
import type { Asked, ChildPlugin, StartMessage, ToChild } from "./child/protocol.ts"
import { ChildMessage, type LoadedPlugin } from "./child-messages.ts"

const child = fileURLToPath(new URL("child/plugin-child.ts", import.meta.url))
const kit = fileURLToPath(import.meta.resolve("@docket/core/child-kit"))
const zod = fileURLToPath(import.meta.resolve("zod"))
const sdk = fileURLToPath(import.meta.resolve("@opencode-ai/sdk/client"))
const sdkV2 = fileURLToPath(import.meta.resolve("@opencode-ai/sdk/v2/client"))

/** Most bytes of one message; a longer one ends the process before it is kept. */
const longestMessage = 16 * 1024 * 1024
/** Bytes that may wait until the process reads them; with more it is ended. */
const mostUnread = 32 * 1024 * 1024
/** Lines and characters of a line that are kept of what plugins print. */
const mostLog = { lines: 50, line: 300 } as const
/** Questions of a call that wait for a person at once. */
const mostQuestions = 10
/** Requests of the client that run at once. */
const mostRequests = 50

/** ms. `load`: until all plugins are loaded. `pong`: in which a process that works answers. `dispose`: for its end. */
export const usualTimes: ProcessTimes = { load: 30_000, hook: 5_000, call: 10 * 60_000, pong: 1_000, dispose: 1_000 }
export type ProcessTimes = Record<"load" | "hook" | "call" | "pong" | "dispose", number>

/** A plugin did not answer in time, and others were not held up. */
export class PluginTimeout extends Error {}

/** There is no process, and no plugin is to blame. */
export class NotStarted extends Error {}

/** The process ended before the answer. `plugin` is the one that ran last; null for none. */
export class ProcessEnded extends Error {
  readonly plugin: number | null

  constructor(message: string, plugin: number | null) {
    super(message)
    this.plugin = plugin
  }
}

interface CallOptions {
  /** ms; then it is given up. Waiting for a person is left out. */
  timeoutMs: number
  signal?: AbortSignal | undefined
  onShown?(shown: ShownOfCall): void
  /** Rejects with the refusal. */
  onAsk?(question: ToolQuestion): Promise<void>
  /** Gets the answer to a `fetch` piece by piece: the next one comes after `more`. */
  onFrame?(frame: AnswerFrame, more: () => void): void
}

/** The head of an answer, or a piece of its body. */
export type AnswerFrame = { status: number; headers: [string, string][] } | { bytes: Buffer }

/** The process with the plugins of one kind in one place. */
export interface PluginProcess {
  loaded: readonly LoadedPlugin[]
  /** @throws PluginTimeout, ProcessEnded, or Error with what the plugin said */
  call(plugin: number, asked: Asked, options: CallOptions): Promise<unknown>
  /** The last lines that its plugins printed. */
  log(): string[]
  isOver(): boolean
  /** Calls wait for it. */
  isBusy(): boolean
  end(): Promise<void>
}

export interface PluginProcessDeps {
  timers: Timers
  times: ProcessTimes
  /** ms of a clock that only goes forward. */
  now(): number
  /** Shared by all workspaces of a service. */
  room: ProgramRoom
  /** Aborted when the service stops: nothing starts any more. */
  closing: AbortSignal
  place: ExtensionPlace
  /** Answers requests of the client. */
  ask: AskDocket
}

export interface PluginProcessOptions {
  plugins: readonly ChildPlugin[]
  trusted: StartMessage["trusted"]
  input: StartMessage["input"]
  config: Record<string, unknown>
  /** Directories that it reads in addition. */
  readable: readonly string[]
  /** With all rights of the service. */
  isFree: boolean
}

interface Pending {
  plugin: number
  options: CallOptions
  resolve(output: unknown): void
  reject(error: Error): void
  /** For how many others it waits. */
  waiting: number
  /** The head of its answer has come. */
  isAnswering: boolean
  /** ms of its time that are over. */
  spent: number
}

/**
 * Starts the process and loads its plugins. @throws ProcessEnded when it does not come to that, NotStarted when it may not begin
 */
export async function startPluginProcess(
  deps: PluginProcessDeps,
  { plugins, trusted, input, config, readable, isFree }: PluginProcessOptions,
): Promise<PluginProcess> {
  const { timers, times, place, closing } = deps
  const placed: PlacedProgram = { waiting: 1, usedAt: deps.now(), stop: () => {} }
  const leave = enter(deps, placed)
  const running = await startIn(deps, leave, {
    file: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", child],
    cwd: place.project.worktree,
    env: {},
    owner: "plugin",
    confined: isFree ? "free" : "sandbox",
    network: "none",
    // What the sandbox takes back when a program ends could be other people's, and this one works beside them for long.
    mayWrite: isFree,
    readable: [...ownPlaces, ...readable],
  })
  const pending = new Map<number, Pending>()
  const requests = new Map<number, AbortController>()
  const pings = new Map<number, () => void>()
  const log: string[] = []
  const loaded = Promise.withResolvers<Extract<ChildMessage, { loaded: unknown }>>()
  let count = 0
  let last: number | null = null
  let over: ProcessEnded | null = null

  const write = (message: ToChild) => {
    if (over !== null) return
    if (running.stdin.writableLength > mostUnread)
      return kill("A plugin kept its process from reading what it was sent, and was stopped.")
    running.stdin.write(`${JSON.stringify(message)}\n`)
  }
  const finish = (why: string) => {
    if (over !== null) return
    over = new ProcessEnded(why, last)
    loaded.reject(over)
    for (const { reject } of pending.values()) reject(over)
    pending.clear()
    for (const stop of requests.values()) stop.abort()
  }
  const kill = (why: string) => {
    finish(why)
    void running.end()
  }
  const note = (text: string) => {
    const end = text.slice(-mostLog.lines * mostLog.line)
    for (const line of end.split("\n")) if (line.trim() !== "") log.push(line.slice(0, mostLog.line))
    log.splice(0, log.length - mostLog.lines)
  }
  const receive = (line: Buffer) => {
    // What it was to do is over, and nobody waits for it.
    if (over !== null) return
    const message = ChildMessage.safeParse(parsed(line)).data
    // A program that a plugin started may print here too.
    if (message === undefined) note(line.subarray(0, mostLog.line).toString("utf8"))
    else handle(message)
  }
  const handle = (message: ChildMessage) => {
    if ("begin" in message) last = message.plugin
    else if ("done" in message) settle(message)
    else if ("loaded" in message) loaded.resolve(message)
    else if ("pong" in message) pings.get(message.pong)?.()
    else if ("shown" in message) pending.get(message.shown)?.options.onShown?.(message.parts)
    else if ("ask" in message) void question(message)
    else if ("head" in message || "piece" in message) frame(message)
    else if ("cancel" in message) requests.get(message.cancel)?.abort()
    else void fetchFor(message)
  }
  const settle = ({ done, output, error }: Extract<ChildMessage, { done: number }>) => {
    const call = pending.get(done)
    pending.delete(done)
    if (error === undefined) call?.resolve(output)
    else call?.reject(new Error(error))
  }
  const frame = (message: Extract<ChildMessage, { head: number } | { piece: number }>) => {
    const isPiece = "piece" in message
    const id = isPiece ? message.piece : message.head
    const call = pending.get(id)
    if (call?.options.onFrame === undefined) return
    if (call.isAnswering !== isPiece || call.waiting > 0)
      return kill("A plugin sent more of an answer than it was asked for and was stopped.")
    call.isAnswering = true
    call.spent = 0
    // Until the next piece is wanted, the plugin has nothing to do.
    call.waiting = 1
    const more = () => {
      call.waiting = 0
      write({ op: "more", id })
    }
    call.options.onFrame(isPiece ? { bytes: Buffer.from(message.bytes, "base64") } : message, more)
  }
  const question = async ({ ask, question: number, request }: Extract<ChildMessage, { ask: number }>) => {
    const call = pending.get(ask)
    const refuse = (refused: string | null) => write({ op: "answer", question: number, refused })
    if (call?.options.onAsk === undefined) return refuse("Only a tool's call can ask people.")
    call.waiting += 1
    try {
      if (call.waiting > mostQuestions) throw new Error(`At most ${mostQuestions} questions may wait at once.`)
      const asked = ToolQuestion.safeParse(request).data
      if (asked === undefined) throw new Error("ask() takes {permission, patterns, always}, all of them texts.")
      await call.options.onAsk(asked)
      refuse(null)
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error))
    } finally {
      call.waiting -= 1
    }
  }
  /** What a plugin tells people is kept with what it prints; there is no screen of a terminal. */
  const said = ({ method, path, body }: Extract<ChildMessage, { fetch: number }>): Response | null => {
    const [route = ""] = path.split("?")
    if (method !== "POST" || (route !== "/log" && !route.startsWith("/tui/"))) return null
    const told = parsed(Buffer.from(body ?? "null"))
    note(String((told as { message?: unknown } | null)?.message ?? route))
    return Response.json(true)
  }
  const fetchFor = async (message: Extract<ChildMessage, { fetch: number }>) => {
    const { fetch: number } = message
    if (requests.has(number)) return note(`A request came under the number ${number}, which another one has.`)
    const stop = new AbortController()
    requests.set(number, stop)
    try {
      if (requests.size > mostRequests) throw new Error(`At most ${mostRequests} requests may run at once.`)
      const response = said(message) ?? (await deps.ask({ ...message, place, signal: stop.signal }))
      write({ op: "response", request: number, status: response.status, headers: [...response.headers] })
      for await (const piece of response.body ?? []) {
        write({ op: "piece", request: number, bytes: Buffer.from(piece).toString("base64") })
        // An answer without end waits until the plugin has read what is there.
        if (running.stdin.writableNeedDrain) await once(running.stdin, "drain", { signal: stop.signal })
      }
      write({ op: "end", request: number, error: null })
    } catch (error) {
      write({ op: "end", request: number, error: error instanceof Error ? error.message : String(error) })
    } finally {
      requests.delete(number)
    }
  }
  /** Whether the process still does what it is told. */
  const answers = async () => {
    const id = ++count
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const cancel = timers.after(times.pong, () => resolve(false))
    pings.set(id, () => resolve(true))
    write({ op: "ping", id })
    const isAlive = await promise
    cancel()
    pings.delete(id)
    return isAlive
  }
  const giveUp = async (id: number, call: Pending) => {
    const isAlive = await answers()
    if (!pending.has(id)) return
    if (!isAlive) return kill("A plugin kept its process busy and was stopped.")
    pending.delete(id)
    write({ op: "abort", id })
    call.reject(new PluginTimeout(`It did not answer within ${call.options.timeoutMs / 1_000} seconds.`))
  }

  running.stdout.on(
    "data",
    linesWithin(longestMessage, receive, () => kill("A plugin answered with more than 16 MiB and was stopped.")),
  )
  running.stderr.on("data", (data: Buffer) => note(data.subarray(-mostLog.lines * mostLog.line).toString("utf8")))
  void running.ended.then(({ exit, signal, over: limit }) => {
    const why = limit === null ? `(${signal ?? `exit code ${exit}`})` : "at a limit of this project's programs"
    finish(`The process of the plugins ended ${why}.`)
    leave()
  })
  const onClosing = () => kill("Docket is stopping.")
  closing.addEventListener("abort", onClosing, { once: true })
  if (closing.aborted) onClosing()
  void running.ended.then(() => closing.removeEventListener("abort", onClosing))
  const modules = {
    kit: pathToFileURL(kit).href,
    zod: pathToFileURL(zod).href,
    sdk: pathToFileURL(sdk).href,
    sdkV2: pathToFileURL(sdkV2).href,
  }
  write({ op: "start", modules, trusted, plugins: [...plugins], input, config })
  const cancel = timers.after(times.load, () => kill(`A plugin was not loaded within ${times.load / 1_000} seconds.`))
  /** No call begins any more, while plugins dispose of what they have. */
  const end = async () => {
    if (over === null) {
      write({ op: "dispose" })
      finish("The plugins were stopped.")
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = timers.after(times.dispose, resolve)
      void running.ended.then(() => resolve())
      await promise
      stop()
    }
    await running.end()
  }
  // Listened to once more, so that an end before the await is not unhandled.
  loaded.promise.catch(() => {})
  try {
    const found = await loaded.promise
    placed.waiting = 0
    placed.stop = () => void end()
    return {
      loaded: found.loaded,
      log: () => [...log],
      isOver: () => over !== null,
      isBusy: () => pending.size > 0,
      call: (plugin, asked, options) =>
        new Promise((resolve, reject) => {
          if (over !== null) return reject(over)
          const id = ++count
          placed.waiting += 1
          placed.usedAt = deps.now()
          const call: Pending = { plugin, options, waiting: 0, isAnswering: false, spent: 0, resolve, reject }
          pending.set(id, call)
          const stopTimer = deadline(timers, call, () => void giveUp(id, call))
          const onAbort = () => {
            pending.delete(id)
            write({ op: "abort", id })
            call.reject(options.signal?.reason)
          }
          call.resolve = settled(resolve)
          call.reject = settled(reject)
          options.signal?.addEventListener("abort", onAbort, { once: true })
          write({ op: "call", id, plugin, asked })

          function settled<T>(then: (value: T) => void): (value: T) => void {
            return (value) => {
              placed.waiting -= 1
              stopTimer()
              options.signal?.removeEventListener("abort", onAbort)
              then(value)
            }
          }
        }),
      end,
    }
  } catch (error) {
    await running.end()
    throw error
  } finally {
    cancel()
  }
}

/** Takes a place for a process. @throws NotStarted when there is none, or the service stops */
function enter({ room, closing }: PluginProcessDeps, placed: PlacedProgram): () => void {
  if (closing.aborted) throw new NotStarted("Docket is stopping.")
  try {
    return room.enter(placed)
  } catch (error) {
    throw new NotStarted(`${error instanceof Error ? error.message : error}.`)
  }
}

async function startIn({ place }: PluginProcessDeps, leave: () => void, launch: ExtensionLaunch) {
  try {
    return await place.start(launch)
  } catch (error) {
    leave()
    throw new NotStarted(error instanceof Error ? error.message : String(error))
  }
}

/** Calls `onOver` once the call has had its time, in which nobody else was waited for. A piece of an answer begins it anew. */
function deadline(timers: Timers, call: Pending, onOver: () => void): () => void {
  const { timeoutMs, onAsk, onFrame } = call.options
  // Only these wait for others, and they have minutes.
  const tick = onAsk === undefined && onFrame === undefined ? timeoutMs : Math.min(timeoutMs, 250)
  const stop = timers.every(tick, () => {
    if (call.waiting === 0) call.spent += tick
    if (call.spent < timeoutMs) return
    stop()
    onOver()
  })
  return stop
}

/** What every process reads: its own program and modules. */
const ownPlaces: readonly string[] = [
  dirname(child),
  dirname(kit),
  dirname(zod),
  dirname(dirname(sdk)),
  dirname(process.execPath),
]

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"))
  } catch {
    return null
  }
}
