import path from "node:path"
import type { LeftFile, Project, SessionRevert, ToolPart } from "../../ground/schema/index.ts"
import {
  changesFiles,
  readCallWritings,
  readFileChanges,
  readToolCall,
  type ToolCall,
} from "../../ground/schema/read-tool-call.ts"
import type { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import { SnapshotError } from "../snapshot/snapshot-repository.ts"
import { planFiles, type ReadPatch, type StepPatch, stepPatches } from "./plan-files.ts"
import type { UndoneSession } from "./undone-part.ts"

type RevertedFiles = SessionRevert["files"]

/** How many file names a session stores with its undo; the count includes all files. */
const maxPaths = 100

const none: RevertedFiles = { state: "undone", before: null, after: null, count: 0, paths: [], left: [], note: null }

const noGit =
  "The project is not a git repository, so its files stay as they are. Run git init, then open the project again."
const someUnseen = "Of some steps Docket has no snapshot; what they changed stays as it is."

/** Plans the file changes of an undo as two snapshots. Changes no file yet. */
export async function prepareFiles(
  deps: { snapshots: Snapshots; onError(error: unknown): void },
  project: Project,
  part: UndoneSession[],
): Promise<RevertedFiles> {
  const messages = part.flatMap((undone) => undone.messages)
  const unseen = writtenFiles(messages, project)
  if (!project.git) return messages.some(hasChangingCall) ? { ...none, state: "kept", left: unseen, note: noGit } : none
  const note = messages.some((message) => hasChangingCall(message) && !hasSnapshots(message)) ? someUnseen : null
  const patches = stepPatches(messages)
  if (patches.length === 0) return { ...none, left: unseen, note }
  try {
    const before = await deps.snapshots.take(project)
    const { after, count, left } = await snapshotBefore(deps, project, { now: before, patches })
    return {
      ...none,
      state: count > 0 ? "undoing" : "undone",
      before,
      after,
      left: [...unseen, ...left].slice(0, maxPaths),
      note,
    }
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    deps.onError(error)
    return { ...none, state: "kept", left: unseen, note: `The files stay as they are: ${error.message}` }
  }
}

/** The files without what the patches changed: as a snapshot, how many differ from `now`, and those that stay as they are. */
export async function snapshotBefore(
  { snapshots }: { snapshots: Snapshots },
  project: Project,
  { now, patches }: { now: string; patches: StepPatch[] },
): Promise<{ after: string; count: number; left: LeftFile[] }> {
  const read = await Promise.all(patches.map((patch) => readPatch(snapshots, project, patch)))
  const { files, left } = planFiles(read, await snapshots.files(project, now))
  return { after: await snapshots.withFiles(project, now, files), count: files.length, left }
}

/** Files that calls named and changed, and that are in no snapshot: outside of the project, or all without git. */
function writtenFiles(messages: UndoneSession["messages"], { git }: Project): LeftFile[] {
  const files = messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === "tool" ? [...(readFileChanges(part) ?? []), ...begunChanges(part)] : []))
    .map(({ file }) => file)
  // Tools name a file outside of the project by its absolute path.
  const unseen = [...new Set(files)].filter((file) => !git || path.isAbsolute(file))
  return unseen.slice(0, maxPaths).map((file) => ({ path: file, reason: path.isAbsolute(file) ? "outside" : "no_git" }))
}

/** What a call was writing when it failed, which may be there in part. */
function begunChanges(part: ToolPart): FileChangeMetadata[] {
  return part.state.status === "error" ? (readCallWritings(part) ?? []).map(({ change }) => change) : []
}

async function readPatch(snapshots: Snapshots, project: Project, patch: StepPatch): Promise<ReadPatch> {
  try {
    return { ...patch, changes: await snapshots.changes(project, patch.before, patch.after) }
  } catch (error) {
    // Snapshots are removed after some days.
    if (error instanceof SnapshotError) return { ...patch, changes: null }
    throw error
  }
}

/** Moves the files of a started undo or redo. May be repeated after a crash. */
export async function moveReverted(
  deps: { snapshots: Snapshots; onError(error: unknown): void },
  project: Project,
  files: RevertedFiles,
): Promise<RevertedFiles> {
  const { before, after, state } = files
  if (before === null || after === null) return { ...files, state: "undone" }
  try {
    const [from, to] = state === "redoing" ? [after, before] : [before, after]
    const { moved, left } = await deps.snapshots.move(project, from, to)
    const all = state === "redoing" ? left : [...files.left, ...left]
    return {
      ...files,
      state: "undone",
      count: moved.length,
      paths: moved.slice(0, maxPaths),
      left: all.slice(0, maxPaths),
    }
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    deps.onError(error)
    return { ...files, state: "undone", note: `The files stay as they are: ${error.message}` }
  }
}

function hasChangingCall({ parts }: UndoneSession["messages"][number]): boolean {
  return parts.some(
    (part) =>
      part.type === "tool" &&
      (part.tool === "bash" || changesFiles(part.tool)) &&
      part.state.status === "completed" &&
      !isReadOnlyCommand(readToolCall(part)),
  )
}

function isReadOnlyCommand(call: ToolCall): boolean {
  return call.tool === "bash" && call.metadata?.readOnly === true
}

/** Whether the step has snapshots before and after its tools: the second is taken only after the first. */
function hasSnapshots({ parts }: UndoneSession["messages"][number]): boolean {
  return parts.some((part) => part.type === "step-finish" && part.snapshot !== undefined)
}
