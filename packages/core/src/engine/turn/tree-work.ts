import type { RunningCommands } from "../../acts/tool/running-commands.ts"

/** The tasks of sessions that are being stopped. */
export interface TreeTasks {
  /** Cancels tasks that these sessions started. */
  stopUnder(sessionIDs: string[], reason: Error): Promise<void>
  /** Resolves when no task of or in these sessions is open. */
  ended(sessionIDs: string[]): Promise<void>
}

/** What works in sessions beside their turns. */
export interface TreeWork {
  tasks: TreeTasks
  commands: Pick<RunningCommands, "signalled" | "endBackground">
}
