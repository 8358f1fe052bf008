import type { ToolContext } from "../../acts/tool/tool.ts"
import type { TurnContext } from "./turn-context.ts"

/** Records the state of the files around the tools of one step, so that undo can restore it. */
export interface StepFiles {
  /** See `ToolContext.beforeChange`. Resolves when the previous state is stored with the step. */
  before: ToolContext["beforeChange"]
  after(...written: Parameters<ToolContext["afterChange"]>): void
  /**
   * Call it when the step's tools have ended; it stores the files that they changed. The search for files that a
   * command changed runs beside the turn's further work; see `TurnFiles`.
   */
  end(): Promise<void>
}

/** Records the state of the files around the steps of turns. A change waits until earlier changes are stored. */
export interface TurnFiles {
  /** Starts the step of a message. `anyFile`: one of its tools may change files that its arguments do not name. */
  stepFiles(turn: TurnContext, step: { messageID: string; anyFile: boolean }): StepFiles
  /** Resolves when the file changes of the turn's ended steps are stored. */
  filesSettled(turn: TurnContext): Promise<void>
}

/** For projects without git, and for children in a worktree of their own. */
export const noStepFiles: StepFiles = { before: async () => {}, after: () => {}, end: async () => {} }
