import type { ToolContext } from "../../acts/tool/tool.ts"
import type { TurnContext } from "./turn-context.ts"

/** Keeps the state of the files around the tools of one step, so that undo can bring it back. */
export interface StepFiles {
  /** See `ToolContext.beforeChange`. Resolves when the state of before is stored with the step. */
  before: ToolContext["beforeChange"]
  after(...written: Parameters<ToolContext["afterChange"]>): void
  /**
   * Call when the step's tools have ended: what they changed is stored. What a command changed is looked for beside
   * the turn's further work; see `TurnFiles`.
   */
  end(): Promise<void>
}

/** Keeps the state of the files around the steps of turns. A change waits until what was changed before is stored. */
export interface TurnFiles {
  /** For the step of a message. `anyFile`: a tool of it may change files that it does not name. */
  stepFiles(turn: TurnContext, step: { messageID: string; anyFile: boolean }): StepFiles
  /** Resolves when what the ended steps of the turn changed is stored. */
  filesSettled(turn: TurnContext): Promise<void>
}

/** For projects without git, and for children that work in a worktree of their own. */
export const noStepFiles: StepFiles = { before: async () => {}, after: () => {}, end: async () => {} }
