import type { LimitMeans, LimitOver } from "../../ground/schema/index.ts"
import type { Limits } from "../../ground/schema/limits-config.ts"

/** A command that is about to start within limits. */
export interface BoundWork {
  /** The workspace of the command. The commands of one workspace are counted together. */
  scope: string
  limits: Limits
  /** An environment variable with its value, set in all processes of the command so that they can be found. */
  processTag: string
  /** Whether the command runs in the sandbox. There, everything it starts ends with its first process. */
  isHeld: boolean
  /** Directories the command may write to; the free space of their disks is watched. */
  places: readonly string[]
}

/** A program with its arguments. */
interface Program {
  file: string
  args: string[]
}

export interface BoundCommand {
  /** How many files one process of the command may have open. */
  files: number
  /** Wraps the program so that it enters its limits before it does anything else. */
  enter(program: Program): Program
  /** @param pid the process that was started */
  started(pid: number): void
  /** The limit that the command exceeded or reached; null for none. Call it after the command has ended. */
  over(): LimitOver | null
  /** The call of the command has ended. Processes it left outside the sandbox stay within its limits. */
  end(): void
}

/** Keeps commands within their limits. One instance per service, because it counts all commands together. */
export interface Bounds {
  /** How limits are enforced on this machine. Found out once, on the first call. */
  means(): Promise<LimitMeans>
  begin(work: BoundWork): Promise<BoundCommand>
  /** The commands of a workspace that were ended for a limit, newest first; `at` in epoch ms. */
  ended(scope: string): (LimitOver & { at: number })[]
  close(): Promise<void>
}
