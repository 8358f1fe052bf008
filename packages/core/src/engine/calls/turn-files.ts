import type { FileContent } from "../../acts/tool/tool.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import type { Part } from "../../ground/schema/index.ts"
import { noStepFiles, type StepFiles, type TurnFiles } from "../loop/step-files.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Stamp } from "../loop/write-message.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import type { FileWindow, FileWindows } from "../snapshot/file-windows.ts"
import { type FileState, olderFiles, sameState } from "../snapshot/read-changes.ts"
import { TooMuchToKeep } from "../snapshot/snapshot-repository.ts"

interface StepFilesDeps extends Stamp {
  snapshots: Snapshots
  windows: FileWindows
  onError(error: unknown): void
}

/** A step that has ended and whose changes are still being computed. */
interface EndingStep {
  worktree: string
  sessionID: string
  ended: Promise<void>
}

/** Stores with each step which files it changed, so that undo can restore them. */
export function createTurnFiles(deps: StepFilesDeps): TurnFiles {
  const endingSteps = new Set<EndingStep>()
  const settled = async (match: (endingStep: EndingStep) => boolean): Promise<void> => {
    await Promise.all([...endingSteps].filter(match).map(({ ended }) => ended))
  }
  return {
    stepFiles(turn, { messageID, anyFile }) {
      const { git, worktree } = turn.project
      if (!git || turn.apart) return noStepFiles
      const step = (anyFile ? commandStep : namedStep)(deps, turn, createStepRecord(deps, turn, messageID))
      return {
        async before(file, now) {
          // The last snapshot of an ending step must not contain this change.
          await settled((endingStep) => endingStep.worktree === worktree)
          await step.before(file, now)
        },
        after: step.after,
        async end() {
          const endingStep = { worktree, sessionID: turn.session.id, ended: step.end() }
          endingSteps.add(endingStep)
          const removed = endingStep.ended.finally(() => endingSteps.delete(endingStep))
          // A full snapshot takes long, so the turn goes on meanwhile.
          if (anyFile) removed.catch(deps.onError)
          else await removed
        },
      }
    },
    filesSettled: (turn) => settled((endingStep) => endingStep.sessionID === turn.session.id),
  }
}

interface Opened {
  window: FileWindow
  /** Epoch ms. */
  at: number
  /** Null when no snapshot could be taken. */
  snapshot: Promise<string | null>
}

/** A step in which any file may change: its changes are the difference of two full snapshots. */
function commandStep(deps: StepFilesDeps, turn: TurnContext, record: StepRecord): StepFiles {
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
        record.storeNone(error)
      } finally {
        window.close()
      }
    },
  }
}

async function begin(deps: StepFilesDeps, turn: TurnContext, record: StepRecord): Promise<string | null> {
  try {
    const snapshot = await deps.snapshots.take(turn.project)
    await record.storeBefore(snapshot)
    return snapshot
  } catch (error) {
    record.storeNone(error)
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
  record.storeAfter({ id, before, after, files })
}

/** A step whose tools name the files that they change: only these are saved, before each change and at the end. */
function namedStep(deps: StepFilesDeps, turn: TurnContext, record: StepRecord): StepFiles {
  const { project } = turn
  const before = new Map<string, FileState | null>()
  const written = new Map<string, FileContent>()
  let snapshot: string | null = null
  /** A snapshot failed, so the step stores no changes. */
  let isLost = false
  let window: FileWindow | null = null
  /** Files are kept one after another, because each snapshot contains the files of the one before. */
  let keeping = Promise.resolve()

  const pathOf = (file: string) => (isWithin(project.worktree, file) ? posixRelative(project.worktree, file) : null)
  const keep = async (path: string | null, now?: FileContent): Promise<void> => {
    if (path !== null && before.has(path)) return
    const kept = path === null ? [] : await deps.snapshots.kept(project, [path])
    if (kept.length === 0 && snapshot !== null) return
    const known = new Map(path !== null && now !== undefined ? [[path, now]] : [])
    for (const [name, state] of await deps.snapshots.keep(project, kept, known)) before.set(name, state)
    snapshot = await deps.snapshots.ofFiles(project, before)
    await record.storeBefore(snapshot, [...before.keys()])
  }
  const lose = (error: unknown) => {
    isLost = true
    record.storeNone(error)
  }
  return {
    async before(file, now) {
      if (file === undefined) throw new Error("A tool that may change any file says so by `anyFile`.")
      window ??= deps.windows.open(project.worktree)
      window.claim(file)
      const path = pathOf(file)
      keeping = keeping.then(async () => {
        if (!isLost) await keep(path, now).catch(lose)
      })
      await keeping
    },
    after(file, content) {
      const path = pathOf(file)
      if (path === null) return
      // What was removed is looked for on the disk.
      if (content === null) written.delete(path)
      else written.set(path, content)
    },
    async end() {
      if (window === null) return
      const id = record.patchID()
      try {
        if (snapshot === null || isLost) return
        const after = await deps.snapshots.keep(project, [...before.keys()], written)
        const files = [...before].flatMap(([path, state]) => (sameState(state, after.get(path) ?? null) ? [] : [path]))
        record.storeAfter({ id, before: snapshot, after: await deps.snapshots.ofFiles(project, after), files })
      } catch (error) {
        lose(error)
      } finally {
        window.close()
      }
    },
  }
}

/** Where the snapshots of a step are stored: in the parts of its message. */
interface StepRecord {
  /** Stores the snapshot from before the step. With `files` it contains only these. */
  storeBefore(snapshot: string, files?: string[]): Promise<void>
  /** An id for the patch. Take it after the tools have ended, because undo orders changes by it. */
  patchID(): string
  /** Stores the changes. */
  storeAfter(patch: { id: string; before: string; after: string; files: string[] }): void
  /** The snapshots could not be taken: the work goes on, and undo will report that it has none. */
  storeNone(error: unknown): void
}

function createStepRecord(
  deps: Pick<StepFilesDeps, "createID" | "onError">,
  turn: TurnContext,
  messageID: string,
): StepRecord {
  const partOf = (type: Part["type"]) => turn.transcript.get(messageID)?.parts.findLast((part) => part.type === type)
  const start = partOf("step-start")
  const write = (part: Part) => void turn.writer.part(part)
  return {
    async storeBefore(snapshot, files) {
      // Stored before anything changes, so that it can be restored after a crash.
      if (start?.type === "step-start") await turn.writer.part({ ...start, snapshot, ...(files && { files }) })
    },
    patchID: () => deps.createID("part"),
    storeAfter({ id, before, after, files }) {
      if (files.length > 0) {
        write({ id, sessionID: turn.session.id, messageID, type: "patch", hash: before, files })
      }
      // Written last: it tells a restart that the step is complete.
      const finish = partOf("step-finish")
      if (finish?.type === "step-finish") write({ ...finish, snapshot: after })
    },
    storeNone(error) {
      if (!(error instanceof TooMuchToKeep)) deps.onError(error)
      // Clears the snapshot, so that a restart does not count later changes by others as this step's.
      if (start !== undefined) write(start)
    },
  }
}
