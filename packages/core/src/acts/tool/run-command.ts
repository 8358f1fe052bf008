import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import { errorCode } from "../../ground/error/error-code.ts"
import type { LimitOver } from "../../ground/schema/index.ts"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"
import type { BoundCommand } from "../bound/bounds.ts"
import type { ConfinedLaunch, Launch } from "../sandbox/sandbox.ts"
import type { CapturedOutput, OutputCapture } from "./output-capture.ts"
import {
  CALL_MARKER,
  callMarker,
  commandProcesses,
  endProcessGroup,
  groupRuns,
  markerEntry,
  type SpawnedCommand,
} from "./process-group.ts"

export interface CommandRequest {
  /** The session of the command; what the command leaves running ends with the session's work. */
  sessionID: string
  /** The part of the call. */
  partID: string
  /** Path or name of a POSIX-like shell. */
  shell: string
  command: string
  cwd: string
  env: Record<string, string>
  /** Puts the command into a sandbox; then nothing that it starts outlives it. */
  confine?: ((launch: Launch) => Promise<ConfinedLaunch>) | undefined
  /** Starts the confined command where an executor runs it; without it, it is a process of this machine. */
  start?: ((launch: ConfinedLaunch) => Promise<CommandElsewhere>) | undefined
  /** Puts limits on the command on this machine; `processTag` is in the environment of all its processes. */
  bound?: ((processTag: string) => Promise<BoundCommand | null>) | undefined
  /** Milliseconds. */
  timeout: number
  signal: AbortSignal
  capture: OutputCapture
  /** Called after each stored chunk. */
  onOutput(): void
  onSpawn?(command: SpawnedCommand): void
  /** Called when the command is ended early and all its processes have received the signal. */
  onSignal?(command: SpawnedCommand): void
  /** Called once for each `onSpawn`, with the processes that still run. */
  onExit?(command: SpawnedCommand, background: number[]): void
}

/** A command that runs elsewhere. */
export interface CommandElsewhere {
  /** Its output and errors, in the order in which they were written. */
  stdout: Readable
  /** Rejects when the link to it is lost, so that nobody knows how it ends. */
  exited: Promise<Pick<CommandResult, "exit" | "signal">>
  /** Ends it with everything it started: TERM, three seconds, KILL. Calls `onSignal` when all have received the first. */
  end(onSignal: () => void): Promise<void>
  /** Ends what it left running; resolves when nothing of it runs. */
  settled(): Promise<void>
}

export interface CommandResult {
  output: CapturedOutput
  exit: number | null
  signal: NodeJS.Signals | null
  /** Why the command was ended early; null when it was not. */
  ended: "timeout" | "aborted" | "too much output" | null
  /** The limit that ended the command or that it reached. */
  over: LimitOver | null
  /** Processes that still run although the shell has ended. */
  background: number[]
  /** Files that the command left in the sandbox but could not keep. */
  leftBehind: LeftBehind[]
}

/** Milliseconds to wait for more output after the shell ended; after that, a background child holds the pipe. */
const DRAIN = 200
const DRAIN_ROUNDS = 10
/** Most characters kept of the sandbox's own error message. */
const MAX_SETUP_ERROR = 2_000
/** Milliseconds within which everything in a sandbox ends after its first program. */
const SANDBOX_END = 50

/**
 * Runs a shell command in its own process group, with closed input and both outputs in one stream, in the order they
 * were written. Ends the whole group on timeout, abort and when the output limit is reached. A background child that
 * keeps the output open does not delay the result.
 * @throws Error when the shell cannot be started or its sandbox cannot be created
 */
export async function runCommand(request: CommandRequest, now: () => number): Promise<CommandResult> {
  const marker = callMarker(request.sessionID, randomUUID())
  const bound = request.start ? null : ((await request.bound?.(markerEntry(marker))) ?? null)
  const shell = await startShell(request, { marker, bound }).catch(releaseAndRethrow(bound))
  const { pid, stdout, exited, lookForLeftBehind } = shell
  bound?.started(pid)
  const command = { pid, startedAt: now(), marker, isHeld: request.confine !== undefined }
  request.onSpawn?.(command)
  let background: number[] = []
  const ending = createCommandEnd(() => shell.end(() => request.onSignal?.(command)))
  const timer = setTimeout(() => ending.end("timeout"), request.timeout)
  const abort = () => ending.end("aborted")
  request.signal.addEventListener("abort", abort, { once: true })
  if (request.signal.aborted) abort()
  let chunks = 0
  const onOutput = () => {
    chunks++
    request.onOutput()
  }
  const collected = collect(stdout, { capture: request.capture, onOutput }).then(
    (complete) => complete || ending.end("too much output"),
    (error: unknown) => ending.fail(error),
  )
  try {
    const { exit, signal } = await exited
    clearTimeout(timer)
    const isPipeHeld = !(await waitForOutputEnd(collected, () => chunks))
    stdout.destroy()
    await collected
    await ending.done()
    const over = bound?.over() ?? null
    if (request.confine) {
      await shell.settled()
      const failedSilently = over === null && exit !== 0 && chunks === 0
      if (failedSilently && shell.setupError() !== "")
        throw new Error(`The command was not run: its sandbox could not be made (${shell.setupError().trim()}).`)
    }
    const endedByItself = over === null && ending.reason() === null
    const mayRunOn = endedByItself && !request.confine
    if (mayRunOn && (isPipeHeld || (await groupRuns(pid)))) background = await commandProcesses(pid, marker)
    const leftBehind = await lookForLeftBehind()
    const output = await request.capture.finish()
    return { output, exit, signal, ended: ending.reason(), over, background, leftBehind }
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener("abort", abort)
    // Also when the link to it is lost.
    if (request.start) await shell.settled()
    await lookForLeftBehind().finally(() => bound?.end())
    request.onExit?.(command, background)
    await request.capture.close()
  }
}

interface StartedShell extends CommandElsewhere {
  /** 0 for one that runs elsewhere. */
  pid: number
  /** The error message of the sandbox when it could not be created; empty for none. */
  setupError(): string
  /** Call this when no process of the command runs any more. It looks only once, however often it is called. */
  lookForLeftBehind(): Promise<LeftBehind[]>
}

/** Releases the limits of a command that could not be started. */
function releaseAndRethrow(bound: BoundCommand | null): (error: unknown) => never {
  return (error) => {
    bound?.end()
    throw error
  }
}

async function startShell(
  { shell, command, cwd, env, confine, start }: CommandRequest,
  { marker, bound }: { marker: string; bound: BoundCommand | null },
): Promise<StartedShell> {
  // The outer sh replaces itself with the shell (exec), with standard error joined to standard output.
  const args = ["-c", 'exec "$0" -c "$1" 2>&1', shell, command]
  const launch: Launch = { file: "/bin/sh", args, cwd, env: { ...env, [CALL_MARKER]: marker } }
  const confined = (await confine?.(launch)) ?? null
  const inside = confined ?? launch
  let leftBehind: Promise<LeftBehind[]> | null = null
  const lookForLeftBehind = () => (leftBehind ??= confined?.ended() ?? Promise.resolve([]))
  try {
    if (start !== undefined) {
      if (confined === null) throw new Error("This command has no place to run in.")
      return { ...(await start(confined)), pid: 0, setupError: () => "", lookForLeftBehind }
    }
    if (confined?.shown) throw new Error("This command runs in a place that an executor opens, and none was asked.")
    return { ...(await startHere({ ...inside, ...bound?.enter(inside) }, confined, marker)), lookForLeftBehind }
  } catch (error) {
    await lookForLeftBehind()
    throw error
  } finally {
    confined?.release()
  }
}

async function startHere(
  start: Launch,
  confined: ConfinedLaunch | null,
  marker: string,
): Promise<Omit<StartedShell, "lookForLeftBehind">> {
  // The type allows any streams, because there are more than three.
  const child = spawn(start.file, start.args, {
    cwd: start.cwd,
    // Where Next's types are present, ProcessEnv requires NODE_ENV; a command does not need it.
    env: start.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["ignore", "pipe", confined ? "pipe" : "ignore", ...(confined?.descriptors ?? [])],
  }) as ChildProcess & { stdout: Readable }
  let setupOutput = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (setupOutput.length < MAX_SETUP_ERROR) setupOutput += text
  })
  const exited = exitOf(child)
  const pid = await waitForSpawn(child)
  return {
    ...{ pid, stdout: child.stdout, exited, setupError: () => setupOutput },
    end: (onSignal) => endProcessGroup(pid, marker, onSignal),
    settled: () => waitForSandboxEnd(pid, marker),
  }
}

/** The kernel ends the rest of a sandbox at once, but only after its first program is gone. */
async function waitForSandboxEnd(pid: number, marker: string): Promise<void> {
  for (let waited = 0; await groupRuns(pid); waited++) {
    if (waited >= SANDBOX_END) return endProcessGroup(pid, marker)
    await delay(1)
  }
}

/** Resolves with false when the capture is full; rejects when it cannot store the output. */
async function collect(stdout: Readable, to: Pick<CommandRequest, "capture" | "onOutput">): Promise<boolean> {
  try {
    for await (const chunk of stdout) {
      // Without setEncoding a byte stream yields buffers.
      if (!(await to.capture.push(chunk as Buffer))) return false
      to.onOutput()
    }
  } catch (error) {
    // Another function destroys the stream to stop reading from a pipe that a child holds open.
    if (errorCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error
  }
  return true
}

interface CommandEnd {
  end(why: NonNullable<CommandResult["ended"]>): void
  /** Ends the command because of an internal error, which `done` then throws. */
  fail(error: unknown): void
  done(): Promise<void>
  reason(): CommandResult["ended"]
}

function createCommandEnd(stopAll: () => Promise<void>): CommandEnd {
  let why: CommandResult["ended"] = null
  let work: Promise<void> | null = null
  let failure: { error: unknown } | null = null
  const stop = () => {
    work ??= stopAll()
  }
  return {
    end(reason) {
      why ??= reason
      stop()
    },
    fail(error) {
      failure = { error }
      stop()
    },
    async done() {
      await work
      if (failure !== null) throw failure.error
    },
    reason: () => why,
  }
}

function waitForSpawn(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid ?? -1))
    child.once("error", (error) =>
      reject(new Error(`The command could not be started: ${error.message}`, { cause: error })),
    )
  })
}

function exitOf(child: ChildProcess): Promise<{ exit: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once("exit", (exit, signal) => resolve({ exit, signal }))
  })
}

/** Waits for the end of the output as long as more arrives. False when another process holds the pipe open. */
async function waitForOutputEnd(collected: Promise<unknown>, chunks: () => number): Promise<boolean> {
  for (let round = 0; round < DRAIN_ROUNDS; round++) {
    const before = chunks()
    const ended = await Promise.race([collected.then(() => true), delay(DRAIN, false)])
    if (ended) return true
    if (chunks() === before) return false
  }
  return false
}
