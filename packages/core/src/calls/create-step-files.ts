import type { Stamp } from "../loop/stamp.ts"
import type { StepFiles } from "../loop/step-files.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Part } from "../schema/index.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import type { FileWindow, FileWindows } from "../snapshot/file-windows.ts"
import { olderFiles } from "../snapshot/older-files.ts"
import { TooMuchToKeep } from "../snapshot/snapshot-error.ts"

export interface StepFilesDeps extends Stamp {
  snapshots: Snapshots
  windows: FileWindows
  onError(error: unknown): void
}

interface Opened {
  window: FileWindow
  at: number
  /** Null when no snapshot could be taken. */
  snapshot: Promise<string | null>
}

export function createStepFiles(deps: StepFilesDeps, turn: TurnContext, messageID: string): StepFiles {
  let opened: Opened | null = null
  const open = (): Opened => {
    const window = deps.windows.open(turn.project.worktree)
    return { window, at: deps.clock(), snapshot: begin(deps, turn, messageID) }
  }
  return {
    async before(file) {
      opened ??= open()
      if (file === undefined) opened.window.claimAll()
      else opened.window.claim(file)
      await opened.snapshot
    },
    async end() {
      if (opened === null) return
      const { window, at, snapshot } = opened
      const before = await snapshot
      try {
        if (before !== null) await finish(deps, turn, { messageID, before, at, window })
      } catch (error) {
        deps.onError(error)
      } finally {
        window.close()
      }
    },
  }
}

async function begin(deps: StepFilesDeps, turn: TurnContext, messageID: string): Promise<string | null> {
  try {
    const snapshot = await deps.snapshots.take(turn.project)
    const start = partOf(turn, messageID, "step-start")
    // Stored before anything changes: after a crash it tells what to go back to.
    if (start?.type === "step-start") await turn.writer.part({ ...start, snapshot })
    return snapshot
  } catch (error) {
    // The work goes on; undo will say that it has no snapshot.
    if (!(error instanceof TooMuchToKeep)) deps.onError(error)
    return null
  }
}

async function finish(
  deps: StepFilesDeps,
  turn: TurnContext,
  step: { messageID: string; before: string; at: number; window: FileWindow },
): Promise<void> {
  const { messageID, before } = step
  const after = await deps.snapshots.take(turn.project)
  const changes = await deps.snapshots.changes(turn.project, before, after)
  const isOwn = step.window.close()
  const older = await olderFiles(turn.project.worktree, changes, step.at)
  const files = changes.map(({ path }) => path).filter((path) => isOwn(path) && !older.has(path))
  const end = partOf(turn, messageID, "step-finish")
  if (end?.type === "step-finish") void turn.writer.part({ ...end, snapshot: after })
  if (files.length === 0) return
  const id = deps.createID("part")
  void turn.writer.part({ id, sessionID: turn.session.id, messageID, type: "patch", hash: before, files })
}

function partOf(turn: TurnContext, messageID: string, type: Part["type"]): Part | undefined {
  return turn.transcript.get(messageID)?.parts.findLast((part) => part.type === type)
}
