import type { Part } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Stamp } from "../loop/write-message.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import type { FileWindows } from "../snapshot/file-windows.ts"
import { TooMuchToKeep } from "../snapshot/snapshot-repository.ts"

export interface StepFilesDeps extends Stamp {
  snapshots: Snapshots
  windows: FileWindows
  onError(error: unknown): void
}

/** Where the snapshots around a step's tools stand: in the parts of its message. */
export interface StepRecord {
  /** Stores the state of before. With `files` the snapshot holds these alone. */
  begun(snapshot: string, files?: string[]): Promise<void>
  /** An id for the patch. Take it when the tools have ended: undo tells by it what came after. */
  patchID(): string
  /** Stores what changed. */
  ended(patch: { id: string; before: string; after: string; files: string[] }): void
  /** The snapshots could not be taken: the work goes on, and undo will say that it has none. */
  lost(error: unknown): void
}

export function createStepRecord(
  deps: Pick<StepFilesDeps, "createID" | "onError">,
  turn: TurnContext,
  messageID: string,
): StepRecord {
  const partOf = (type: Part["type"]) => turn.transcript.get(messageID)?.parts.findLast((part) => part.type === type)
  const start = partOf("step-start")
  const finish = partOf("step-finish")
  const write = (part: Part) => void turn.writer.part(part)
  return {
    async begun(snapshot, files) {
      // Before anything changes: after a crash it tells what to go back to.
      if (start?.type === "step-start") await turn.writer.part({ ...start, snapshot, ...(files && { files }) })
    },
    patchID: () => deps.createID("part"),
    ended({ id, before, after, files }) {
      if (files.length > 0) {
        write({ id, sessionID: turn.session.id, messageID, type: "patch", hash: before, files })
      }
      // Last: it tells a restart that nothing is missing.
      if (finish?.type === "step-finish") write({ ...finish, snapshot: after })
    },
    lost(error) {
      if (!(error instanceof TooMuchToKeep)) deps.onError(error)
      // A restart is not to look for changes, as others' of a later time would be among them.
      if (start !== undefined) write(start)
    },
  }
}
