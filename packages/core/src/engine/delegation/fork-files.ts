import { mkdir } from "node:fs/promises"
import { join, relative } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Project, Session } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import type { Repositories } from "../repository/create-repositories.ts"
import { stepPatches } from "../revert/plan-files.ts"
import { snapshotBefore } from "../revert/undo-files.ts"
import { undonePart } from "../revert/undone-part.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import { SnapshotError } from "../snapshot/snapshot-repository.ts"
import type { Worktrees } from "./worktrees.ts"

export interface ForkFilesDeps {
  store: Pick<Store, "session" | "task" | "transcript">
  createID: CreateId
  snapshots: Snapshots
  worktrees: Worktrees
  repositories: Pick<Repositories, "fork">
  projectByID(id: string): Promise<Project>
}

/** Where a fork with files of its own works. */
interface ForkPlace extends Pick<Session, "directory" | "branch" | "repository"> {
  /** Removes it, when no fork uses it. */
  discard(): Promise<void>
}

/**
 * Puts the files of a session, as they were before `messageID` or as they are, into a git worktree for its fork. What
 * people and other sessions changed stays as it is now, as when the session is undone to there.
 * @throws worktree_failed
 */
export async function forkFiles(
  deps: ForkFilesDeps,
  source: Session,
  { messageID, forkID }: { messageID: string | undefined; forkID: string },
): Promise<ForkPlace> {
  const project = workingProject(source, await deps.projectByID(source.projectID))
  const { directory: top, discard, ...own } = await emptyPlace(deps, source, { project, forkID })
  try {
    await deps.snapshots.writeInto(project, await snapshotAt(deps, source, { project, messageID }), top)
    const directory = join(top, relative(project.worktree, source.directory))
    await mkdir(directory, { recursive: true })
    return { directory, discard, ...own }
  } catch (error) {
    await discard()
    if (!(error instanceof SnapshotError)) throw error
    throw new DocketError("worktree_failed", `The files of that moment cannot be read: ${error.message}`, {
      cause: error,
    })
  }
}

/** Where the files go: a worktree of the project's repository, or a repository of the fork's own. */
async function emptyPlace(
  { worktrees, repositories }: ForkFilesDeps,
  source: Session,
  { project, forkID }: { project: Project; forkID: string },
): Promise<ForkPlace> {
  if (project.repository !== undefined)
    return repositories.fork(source, { project, forkID, signal: new AbortController().signal })
  const made = await worktrees.createForFork(project, forkID)
  return { ...made, discard: () => worktrees.discardFork(project, forkID) }
}

async function snapshotAt(
  deps: ForkFilesDeps,
  source: Session,
  { project, messageID }: { project: Project; messageID: string | undefined },
): Promise<string> {
  const { revert } = source
  if (messageID === undefined || messageID === revert?.messageID) return deps.snapshots.take(project)
  // The undo has moved files already: what they were before it is the state that the steps lead to.
  const now = revert?.files.before ?? (await deps.snapshots.take(project))
  const part = await undonePart(deps.store, source, { messageID, until: deps.createID("message") })
  // A subagent in a worktree of its own changed no file of this place.
  const here = part.filter(({ session }) => workingProject(session, project).worktree === project.worktree)
  const patches = stepPatches(here.flatMap(({ messages }) => messages))
  return (await snapshotBefore(deps, project, { now, patches })).after
}
