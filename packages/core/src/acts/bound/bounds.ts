import type { LimitMeans, LimitOver } from "../../ground/schema/index.ts"
import type { Limits } from "../../ground/schema/limits-config.ts"

/** A command that is to start within limits. */
export interface BoundWork {
  /** The workspace: its commands count together. */
  scope: string
  limits: Limits
  /** A variable with its value that all processes of the command have in their environment. */
  mark: string
  /** Whether it runs in the sandbox, where all that it starts ends with its first process. */
  isHeld: boolean
  /** Directories on whose disks it may write. */
  places: readonly string[]
}

/** A program as it is started. */
interface Program {
  file: string
  args: string[]
}

export interface BoundCommand {
  /** Files that one process of it can have open. */
  files: number
  /** The program as it is to be started: it enters its limits before anything else. */
  enter(program: Program): Program
  /** @param pid of what was started */
  started(pid: number): void
  /** The limit for which it was ended, or that it met; asked when it has ended. */
  over(): LimitOver | null
  /** Its call has ended. What it left running outside the sandbox stays within its limits. */
  end(): void
}

/** Holds commands to what they may use. One for a service: it counts them together. */
export interface Bounds {
  /** How; found out once, when first asked. */
  means(): Promise<LimitMeans>
  begin(work: BoundWork): Promise<BoundCommand>
  /** What was ended in a workspace, the newest first, at epoch ms. */
  ended(scope: string): (LimitOver & { at: number })[]
  close(): Promise<void>
}
