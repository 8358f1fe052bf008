import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { Readable, Writable } from "node:stream"
import type { LimitOver } from "../../ground/schema/index.ts"
import type { BoundCommand } from "../bound/bounds.ts"
import type { ConfinedLaunch, Launch } from "../sandbox/sandbox.ts"
import { CALL_MARKER, callMarker, endProcessGroup, markerEntry, type SpawnedCommand } from "./process-group.ts"
import type { RunningCommands } from "./running-commands.ts"

/** A program that answers for longer than one call: a language server, a formatter, a child that runs tools. */
export interface ProgramRequest extends Launch {
  /** Whose work it is, in the marker that finds its processes: a session, or a name such as `language-server`. */
  owner: string
  /** Puts it into a sandbox; then nothing that it starts outlives it. */
  confine?: ((launch: Launch) => Promise<ConfinedLaunch>) | undefined
  /** Puts limits on it; `processTag` is in the environment of all its processes. */
  bound?: ((processTag: string) => Promise<BoundCommand | null>) | undefined
}

export interface ProgramEnd {
  exit: number | null
  signal: NodeJS.Signals | null
  /** The limit that ended it. */
  over: LimitOver | null
}

export interface StartedProgram {
  pid: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** Resolves at once when its first process has ended; what it started may still be ending. */
  exited: Promise<Omit<ProgramEnd, "over">>
  /** Resolves when its first process has ended, and all that it started. */
  ended: Promise<ProgramEnd>
  /** Ends it with everything it started: TERM, three seconds, KILL. Resolves when nothing is left. */
  end(): Promise<void>
}

export interface StartProgramDeps {
  /** Records it, so that the next service ends what a killed one left. */
  commands: Pick<RunningCommands, "onSpawn" | "onSignal" | "onExit">
  /** Epoch ms. */
  clock(): number
}

/**
 * Starts a program in a process group of its own, with open input and outputs, recorded like a command: whatever happens
 * to this service, the program and all that it started end.
 * @throws Error when it cannot be started or its sandbox cannot be made
 */
export async function startProgram(deps: StartProgramDeps, request: ProgramRequest): Promise<StartedProgram> {
  const marker = callMarker(request.owner, randomUUID())
  const bound = (await request.bound?.(markerEntry(marker))) ?? null
  const launch: Launch = {
    file: request.file,
    args: request.args,
    cwd: request.cwd,
    env: { ...request.env, [CALL_MARKER]: marker },
  }
  let confined: ConfinedLaunch | null = null
  let child: ChildProcessWithoutNullStreams
  let pid: number
  try {
    confined = (await request.confine?.(launch)) ?? null
    if (confined?.shown) throw new Error("This program runs in a place that an executor opens, and none was asked.")
    child = spawnIn(confined ?? launch, { bound, descriptors: confined?.descriptors ?? [] })
    pid = await pidOf(child)
  } catch (error) {
    bound?.end()
    await confined?.ended()
    throw error
  } finally {
    confined?.release()
  }
  // A program that ends while it is written to makes these fail; `ended` tells it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {})
  bound?.started(pid)
  const command: SpawnedCommand = { pid, startedAt: deps.clock(), marker, isHeld: confined !== null }
  deps.commands.onSpawn(command)
  let ending: Promise<void> | null = null
  const end = () => (ending ??= endProcessGroup(pid, marker, () => deps.commands.onSignal(command)))
  const exited = new Promise<Omit<ProgramEnd, "over">>((resolve) => {
    child.once("exit", (exit, signal) => resolve({ exit, signal }))
  })
  const ended = exited.then(async (how) => {
    const over = bound?.over() ?? null
    // What it started ends with it.
    await end()
    await confined?.ended().catch(() => {})
    bound?.end()
    deps.commands.onExit(command)
    return { ...how, over }
  })
  const finish = async () => {
    await end()
    await ended
  }
  return { pid, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, ended, end: finish }
}

function spawnIn(
  launch: Launch,
  { bound, descriptors }: { bound: BoundCommand | null; descriptors: readonly number[] },
): ChildProcessWithoutNullStreams {
  const start = { ...launch, ...bound?.enter(launch) }
  return spawn(start.file, start.args, {
    cwd: start.cwd,
    // Where Next's types are present, ProcessEnv requires NODE_ENV; a program does not need it.
    env: start.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", ...descriptors],
    // The type allows any streams, because there are more than three.
  }) as unknown as ChildProcessWithoutNullStreams
}

function pidOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child.pid ?? -1))
    child.once("error", (error) =>
      reject(new Error(`The program could not be started: ${error.message}`, { cause: error })),
    )
  })
}
