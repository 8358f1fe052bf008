import { resolve } from "node:path"
import { isWithin } from "../file/is-within.ts"
import type { CreateId } from "../id/create-id.ts"
import type { MessageWithParts, Part, Project, Session } from "../schema/index.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import type { Mutation, Store } from "../store/index.ts"
import { nameWorktreePath } from "../tool/worktree-path.ts"

export interface RecoverStepFilesDeps {
  store: Pick<Store, "transcript">
  snapshots: Snapshots
  createID: CreateId
  projectByID(id: string): Promise<Project>
  onError(error: unknown): void
}

/**
 * What the tools of a step changed that a crash cut off, as its patch. Whatever changed since the step's snapshot
 * counts as theirs when a command ran; otherwise the files that its calls named.
 */
export async function recoverStepFiles(deps: RecoverStepFilesDeps, session: Session): Promise<Mutation[]> {
  const mutations: Mutation[] = []
  for (const info of await deps.store.transcript.openMessages(session.id)) {
    const { items } = await deps.store.transcript.page({ sessionID: session.id, around: info.id, limit: 1 })
    const message = items.find((item) => item.info.id === info.id)
    if (message === undefined) continue
    try {
      mutations.push(...(await closeStep(deps, session, message)))
    } catch (error) {
      deps.onError(error)
    }
  }
  return mutations
}

async function closeStep(deps: RecoverStepFilesDeps, session: Session, { info, parts }: MessageWithParts) {
  const start = parts.find((part) => part.type === "step-start")
  const finish = parts.findLast((part) => part.type === "step-finish")
  if (start?.type !== "step-start" || start.snapshot === undefined) return []
  if (finish?.type !== "step-finish" || finish.snapshot !== undefined) return []
  const project = await deps.projectByID(session.projectID)
  const after = await deps.snapshots.take(project)
  const changes = await deps.snapshots.changes(project, start.snapshot, after)
  const named = namedFiles(parts, session, project)
  const files = changes.map(({ path }) => path).filter((path) => named === null || named.has(path))
  const place = { id: deps.createID("part"), sessionID: session.id, messageID: info.id }
  const mutations: Mutation[] = [{ kind: "part", value: { ...finish, snapshot: after } }]
  if (files.length > 0)
    mutations.push({ kind: "part", value: { ...place, type: "patch", hash: start.snapshot, files } })
  return mutations
}

/** The files that `edit` and `write` were called with; null when a command could change any. */
function namedFiles(parts: Part[], session: Session, project: Project): Set<string> | null {
  const calls = parts.filter((part) => part.type === "tool")
  if (calls.some((call) => call.tool === "bash")) return null
  const roots = { worktree: project.worktree, directory: session.directory }
  const files = calls.flatMap(({ tool, state }) => {
    if (tool !== "edit" && tool !== "write") return []
    const { input } = state
    const path = typeof input === "object" && input !== null && "filePath" in input ? input.filePath : null
    if (typeof path !== "string") return []
    const real = resolve(session.directory, path)
    return isWithin(project.worktree, real) ? [nameWorktreePath(roots, real).name] : []
  })
  return new Set(files)
}
