import type { StepFiles } from "../loop/step-files.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { FileWindow } from "../snapshot/file-windows.ts"
import { olderFiles } from "../snapshot/read-changes.ts"
import type { StepFilesDeps, StepRecord } from "./step-record.ts"

interface Opened {
  window: FileWindow
  at: number
  /** Null when no snapshot could be taken. */
  snapshot: Promise<string | null>
}

/** A step in which any file may change: what it changed is what differs between two snapshots of everything. */
export function commandStep(deps: StepFilesDeps, turn: TurnContext, record: StepRecord): StepFiles {
  let opened: Opened | null = null
  const open = (): Opened => {
    const window = deps.windows.open(turn.project.worktree)
    return { window, at: deps.clock(), snapshot: begin(deps, turn, record) }
  }
  return {
    async before(file) {
      opened ??= open()
      if (file === undefined) opened.window.claimAll()
      else opened.window.claim(file)
      await opened.snapshot
    },
    after: () => {},
    async end() {
      if (opened === null) return
      const { window, at, snapshot } = opened
      const id = record.patchID()
      const before = await snapshot
      try {
        if (before !== null) await finish(deps, turn, { id, before, at, window, record })
      } catch (error) {
        record.lost(error)
      } finally {
        window.close()
      }
    },
  }
}

async function begin(deps: StepFilesDeps, turn: TurnContext, record: StepRecord): Promise<string | null> {
  try {
    const snapshot = await deps.snapshots.take(turn.project)
    await record.begun(snapshot)
    return snapshot
  } catch (error) {
    record.lost(error)
    return null
  }
}

async function finish(
  deps: StepFilesDeps,
  turn: TurnContext,
  step: { id: string; before: string; at: number; window: FileWindow; record: StepRecord },
): Promise<void> {
  const { id, before, window, record } = step
  const after = await deps.snapshots.take(turn.project)
  const changes = await deps.snapshots.changes(turn.project, before, after)
  const isOwn = window.close()
  const older = await olderFiles(turn.project.worktree, changes, step.at)
  const files = changes.map(({ path }) => path).filter((path) => isOwn(path) && !older.has(path))
  record.ended({ id, before, after, files })
}
