import { resolve } from "node:path"
import { checkWriting } from "../../acts/tool/check-writing.ts"
import { namedPaths } from "../../acts/tool/named-paths.ts"
import { nameWorktreePath } from "../../acts/tool/worktree-path.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { MessageWithParts, Part, Project, Session, StepStartPart, Turn } from "../../ground/schema/index.ts"
import { readCallWritings, readFileChanges } from "../../ground/schema/read-tool-call.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"

export interface RecoverStepFilesDeps {
  store: Pick<Store, "transcript">
  snapshots: Snapshots
  createID: CreateId
  projectByID(id: string): Promise<Project>
  onError(error: unknown): void
}

/** Most messages searched for the last step that changed files; a step's changes are stored soon after it ends. */
const lastMessages = 50

/**
 * Finds file changes that a crash kept from being stored, as a patch of the last step that changed anything; earlier
 * steps were stored before it began. When a command ran, every change since the step's snapshot counts; otherwise only
 * the files that its calls named.
 */
export async function recoverStepFiles(deps: RecoverStepFilesDeps, session: Session, turn: Turn): Promise<Mutation[]> {
  const { messageID } = turn
  if (messageID === null) return []
  const { items } = await deps.store.transcript.page({ sessionID: session.id, limit: lastMessages })
  const message = items.findLast(({ info, parts }) => info.id > messageID && startOf(parts)?.snapshot !== undefined)
  if (message === undefined) return []
  try {
    return await closeStep(deps, session, message)
  } catch (error) {
    deps.onError(error)
    return []
  }
}

function startOf(parts: Part[]): StepStartPart | undefined {
  return parts.find((part) => part.type === "step-start")
}

async function closeStep(deps: RecoverStepFilesDeps, session: Session, { info, parts }: MessageWithParts) {
  const { snapshot: before, files: named } = startOf(parts) ?? {}
  const finish = parts.findLast((part) => part.type === "step-finish")
  if (before === undefined || finish === undefined || finish.snapshot !== undefined) return []
  const project = workingProject(session, await deps.projectByID(session.projectID))
  const after = await snapshotOf(deps.snapshots, project, named)
  const changes = await deps.snapshots.changes(project, before, after)
  const own = named === undefined ? namedFiles(parts, session, project) : null
  const foreign = await foreignFiles(parts)
  const files = changes.map(({ path }) => path).filter((path) => (own === null || own.has(path)) && !foreign.has(path))
  const place = { id: deps.createID("part"), sessionID: session.id, messageID: info.id }
  const mutations: Mutation[] = [{ kind: "part", value: { ...finish, snapshot: after } }]
  if (files.length > 0) mutations.push({ kind: "part", value: { ...place, type: "patch", hash: before, files } })
  return mutations
}

/** A snapshot of the present state, to compare with an earlier one of everything or of some files. */
async function snapshotOf(snapshots: Snapshots, project: Project, files: string[] | undefined): Promise<string> {
  if (files === undefined) return snapshots.take(project)
  return snapshots.ofFiles(project, await snapshots.keep(project, files))
}

/** Files that a call was going to write and that something else changed since. Undo must not revert those changes. */
async function foreignFiles(parts: Part[]): Promise<Set<string>> {
  const written = new Set<string>()
  const foreign = new Set<string>()
  for (const part of parts) {
    if (part.type !== "tool") continue
    for (const { file } of readFileChanges(part) ?? []) written.add(file)
    for (const writing of readCallWritings(part) ?? []) {
      const { kind } = await checkWriting(writing)
      if (kind === "changed" || kind === "gone") foreign.add(writing.change.file)
    }
  }
  for (const file of written) foreign.delete(file)
  return foreign
}

/** The files named in calls that change files; null when a command could have changed any file. */
function namedFiles(parts: Part[], session: Session, project: Project): Set<string> | null {
  const calls = parts.filter((part) => part.type === "tool")
  if (calls.some((call) => call.tool === "bash")) return null
  const roots = { worktree: project.worktree, directory: session.directory }
  const files = calls.flatMap(({ tool, state }) => {
    return namedPaths(tool, state.input).flatMap((path) => {
      const real = resolve(session.directory, path)
      return isWithin(project.worktree, real) ? [nameWorktreePath(roots, real).name] : []
    })
  })
  return new Set(files)
}
