import { DocketError } from "../../ground/error/docket-error.ts"
import { momentOf } from "../../ground/id/moment-of.ts"
import type { MessageWithParts, Project, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import type { SnapshotPlace } from "../snapshot/create-snapshots.ts"
import { type FileState, type SnapshotPair, sameState } from "../snapshot/read-changes.ts"
import { SnapshotError } from "../snapshot/snapshot-repository.ts"
import type { DiffPiece, StepRef } from "./change-service.ts"
import { type ReadStepsDeps, readSteps, type SourcedChange, stepChanges } from "./step-changes.ts"

/** Longer diffs are not shown (UTF-16 units): they would freeze the browser. */
const maxPatch = 400_000

export interface WantedFile {
  rootID: string
  project: Project
  path: string
  steps: readonly StepRef[]
}

/** Consecutive changes without another's change in between. `states` is null for the diff of a call. */
export interface ChangeRun {
  messageIDs: string[]
  place: SnapshotPlace
  states: { pair: SnapshotPair; from: FileState | null; to: FileState | null } | null
  last: SourcedChange
}

export async function fileDiff(deps: ReadStepsDeps & { store: Store }, wanted: WantedFile): Promise<DiffPiece[]> {
  return Promise.all((await readRuns(deps, wanted)).map((run) => pieceOf(deps, wanted.path, run)))
}

/** The changes of a file by these steps, oldest first, consecutive ones as one. @throws message_not_found */
export async function readRuns(
  deps: ReadStepsDeps & { store: Store },
  { rootID, project, path, steps }: WantedFile,
): Promise<ChangeRun[]> {
  const sessions = new Map((await deps.store.session.tree(rootID)).map((session) => [session.id, session]))
  const messages = await readMessages(deps, sessions, steps)
  const read = await readSteps(deps, project, { sessions, messages })
  const runs: ChangeRun[] = []
  for (const message of messages) {
    const session = sessions.get(message.info.sessionID)
    if (session === undefined) continue
    const own = stepChanges(message, read.get(message.info.id) ?? null).filter(({ change }) => change.path === path)
    for (const found of own) join(runs, found, workingProject(session, project))
  }
  return runs
}

async function readMessages(
  { store }: { store: Store },
  sessions: ReadonlyMap<string, Session>,
  steps: readonly StepRef[],
): Promise<MessageWithParts[]> {
  const messages: MessageWithParts[] = []
  for (const { sessionID, messageID } of steps) {
    // Ids of another tree or tenant find nothing here.
    const { items } = sessions.has(sessionID)
      ? await store.transcript.page({ sessionID, around: messageID, limit: 1 })
      : { items: [] }
    const message = items.find(({ info }) => info.id === messageID)
    if (message === undefined) {
      throw new DocketError("message_not_found", `There is no message ${messageID} in this tree. It may be undone.`)
    }
    messages.push(message)
  }
  return messages.sort((a, b) => (momentOf(a.info.id) < momentOf(b.info.id) ? -1 : 1))
}

/** Lets a change continue the last run when nobody else changed the file in between; otherwise begins another one. */
function join(runs: ChangeRun[], found: SourcedChange, place: SnapshotPlace): void {
  const { source, change } = found
  const before = runs.at(-1)
  const isAlike = before?.place.worktree === place.worktree && before.last.change.lack === change.lack
  if (source.kind !== "snapshots") {
    runs.push({ messageIDs: [change.messageID], place, states: null, last: found })
  } else if (isAlike && before?.states && sameState(before.states.to, source.from)) {
    before.messageIDs.push(change.messageID)
    const { from, pair } = before.states
    before.states = { pair: { from: pair.from, to: source.pair.to }, from, to: source.to }
    before.last = found
  } else {
    const { pair, from, to } = source
    runs.push({ messageIDs: [change.messageID], place, states: { pair, from, to }, last: found })
  }
}

async function pieceOf(
  { snapshots, onError }: ReadStepsDeps,
  path: string,
  { messageIDs, place, states, last }: ChangeRun,
): Promise<DiffPiece> {
  const { lack } = last.change
  if (lack !== null || last.source.kind === "none") return { messageIDs, patch: null, lack: lack ?? "too_large" }
  if (last.source.kind === "call") return bounded(messageIDs, last.source.patch)
  if (states === null) return { messageIDs, patch: null, lack: "expired" }
  try {
    return bounded(messageIDs, await snapshots.patch(place, states.pair, path))
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    onError(error)
    return { messageIDs, patch: null, lack: "expired" }
  }
}

function bounded(messageIDs: string[], patch: string): DiffPiece {
  return patch.length > maxPatch ? { messageIDs, patch: null, lack: "too_large" } : { messageIDs, patch, lack: null }
}
