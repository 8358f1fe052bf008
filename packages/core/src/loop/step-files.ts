/** Keeps the state of the files around the tools of one step, so that undo can bring it back. */
export interface StepFiles {
  /** See `ToolContext.beforeChange`. The first call of a step takes a snapshot and stores it with the step. */
  before(file?: string): Promise<void>
  /** Call when the step's tools have ended: stores what they changed. */
  end(): Promise<void>
}

/** For projects without git, and for children that work in a worktree of their own. */
export const noStepFiles: StepFiles = { before: async () => {}, end: async () => {} }
