import type { MessageWithParts, Project, Session, ToolPart } from "../../ground/schema/index.ts"
import { readFileChanges, readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { FileChangeMetadata, MetadataOf } from "../../ground/schema/tool-metadata.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { stepPatches } from "../revert/plan-files.ts"
import type { SnapshotPlace, Snapshots } from "../snapshot/create-snapshots.ts"
import { type CountedChange, type FileState, type SnapshotPair, unkeptMode } from "../snapshot/read-changes.ts"
import { SnapshotError } from "../snapshot/snapshot-repository.ts"
import type { ChangeLack, StepChange } from "./change-service.ts"

/** Where a change was read from: two snapshots, or the diff in a call's metadata. */
type ChangeSource =
  | { kind: "snapshots"; pair: SnapshotPair; from: FileState | null; to: FileState | null }
  | { kind: "call"; patch: string }
  | { kind: "none" }

type OwnChange = Omit<StepChange, "promptID" | "taskID">

export interface SourcedChange {
  change: OwnChange
  source: ChangeSource
}

/** The snapshots before and after a step's tools; null when there are none. */
function pairOf(message: MessageWithParts): SnapshotPair | null {
  const [patch] = stepPatches([message])
  return patch === undefined ? null : { from: patch.before, to: patch.after }
}

/**
 * The changes of a step: the differences between its snapshots, and the diffs of calls for files in no snapshot.
 * @param read the changes of `pairOf`; null when there are no snapshots or they were removed
 */
export function stepChanges(message: MessageWithParts, read: CountedChange[] | null): SourcedChange[] {
  const patch = message.parts.find((part) => part.type === "patch")
  const files = new Set(patch?.type === "patch" ? patch.files : [])
  const calls = changingCalls(message)
  const named = Map.groupBy(calls, ({ written }) => written?.file ?? "")
  const command = calls.find(({ written }) => written === null)?.part ?? null
  const pair = pairOf(message)
  const { sessionID, id: messageID, agent } = message.info
  const place = (path: string) => ({
    path,
    sessionID,
    messageID,
    agent,
    partID: (named.get(path)?.at(-1)?.part ?? command)?.id ?? null,
  })

  const seen = (pair === null ? [] : (read ?? [])).flatMap((found): SourcedChange[] =>
    files.has(found.path) && pair !== null ? [fromSnapshots(place(found.path), found, pair)] : [],
  )
  const seenPaths = new Set(seen.map(({ change }) => change.path))
  // What a program says that it changed counts where nothing else is known. Docket's own writes know the file's version.
  const isSaidOnly = ({ version }: MetadataOf<"edit">) => pair !== null && isProgram(message) && version === undefined
  const written = calls.flatMap(({ written }): SourcedChange[] => {
    if (written === null || seenPaths.has(written.file) || isSaidOnly(written)) return []
    return [fromCall(place(written.file), written)]
  })
  // When the snapshots were removed, only the names of the files are left.
  const gone = read === null ? [...files].filter((path) => !named.has(path)) : []
  return [
    ...seen,
    ...written,
    ...gone.map((path): SourcedChange => {
      return {
        change: { ...place(path), kind: "changed", lines: null, lack: "expired" },
        source: { kind: "none" },
      }
    }),
  ]
}

/** Whether a command of the step may have changed files without a record. */
export function hasUnseenCommand(message: MessageWithParts): boolean {
  if (!changingCalls(message).some(({ written }) => written === null)) return false
  return !message.parts.some((part) => part.type === "step-finish" && part.snapshot !== undefined)
}

function isProgram({ info }: MessageWithParts): boolean {
  return info.role === "assistant" && info.program !== undefined
}

type Place = Pick<OwnChange, "path" | "sessionID" | "messageID" | "agent" | "partID">

function fromSnapshots(place: Place, { from, to, lines }: CountedChange, pair: SnapshotPair): SourcedChange {
  const kind = from === null ? "added" : to === null ? "deleted" : "changed"
  return {
    change: { ...place, kind, lines, lack: lines === null ? lackOf(from, to) : null },
    source: { kind: "snapshots", pair, from, to },
  }
}

function lackOf(from: FileState | null, to: FileState | null): ChangeLack {
  return from?.mode === unkeptMode || to?.mode === unkeptMode ? "too_large" : "binary"
}

function fromCall(place: Place, written: MetadataOf<"edit">): SourcedChange {
  const { additions, deletions, created, removed, diffOmitted, diff } = written
  const change: OwnChange = {
    ...place,
    kind: removed ? "deleted" : created ? "added" : "changed",
    lines: { added: additions, removed: deletions },
    lack: diffOmitted ? "too_large" : null,
  }
  return { change, source: diffOmitted ? { kind: "none" } : { kind: "call", patch: diff } }
}

interface ChangingCall {
  part: ToolPart
  /** Null for a command: any file may have changed. */
  written: MetadataOf<"edit"> | null
}

/** Calls that may have changed files, each with its recorded changes, and commands. */
function changingCalls({ parts }: MessageWithParts): ChangingCall[] {
  return parts.flatMap((part): ChangingCall[] => {
    if (part.type !== "tool") return []
    const call = readToolCall(part)
    if (call.tool === "bash") {
      const hasRun = part.state.status === "completed" || part.state.status === "error"
      const mayWrite = call.metadata !== null && call.metadata.readOnly !== true
      return hasRun && mayWrite ? [{ part, written: null }] : []
    }
    return (readFileChanges(part) ?? []).filter(hasChanged).map((written) => ({ part, written }))
  })
}

/** False for a write of the text that was there. */
function hasChanged({ created, removed, movedFrom, diffOmitted, additions, deletions }: FileChangeMetadata): boolean {
  if (created || removed || movedFrom !== undefined || diffOmitted) return true
  return additions + deletions > 0
}

export interface ReadStepsDeps {
  snapshots: Pick<Snapshots, "countedChanges" | "patch" | "contents">
  onError(error: unknown): void
}

/** The changes between the snapshots of steps, by message. */
export async function readSteps(
  deps: ReadStepsDeps,
  project: Project,
  { sessions, messages }: { sessions: ReadonlyMap<string, Session>; messages: readonly MessageWithParts[] },
): Promise<Map<string, CountedChange[] | null>> {
  const read = new Map<string, CountedChange[] | null>()
  if (!project.git) return read
  const steps = messages.flatMap(({ info, parts }) => {
    const pair = pairOf({ info, parts })
    const session = sessions.get(info.sessionID)
    return pair === null || session === undefined
      ? []
      : [{ id: info.id, pair, place: workingProject(session, project) }]
  })
  for (const group of Map.groupBy(steps, ({ place }) => place.worktree).values()) {
    const place = group[0]?.place
    if (place === undefined) continue
    const changes = await readPairs(
      deps,
      place,
      group.map(({ pair }) => pair),
    )
    for (const [index, { id }] of group.entries()) read.set(id, changes[index] ?? null)
  }
  return read
}

/** Snapshots that cannot be read, also because the worktree is gone, count as missing. */
async function readPairs(
  { snapshots, onError }: ReadStepsDeps,
  place: SnapshotPlace,
  pairs: SnapshotPair[],
): Promise<(CountedChange[] | null)[]> {
  try {
    return await snapshots.countedChanges(place, pairs)
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    onError(error)
    return []
  }
}
