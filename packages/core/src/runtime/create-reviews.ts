import { isAbsolute, join } from "node:path"
import type { ChangeService, StepChange } from "../engine/changes/change-service.ts"
import { type SendCommentsDeps, sendComments } from "../engine/delegation/send-comments.ts"
import { isWithin } from "../ground/file/is-within.ts"
import type { Caller, DiffScope, Task } from "../ground/schema/index.ts"
import { createReviews } from "../records/review/create-reviews.ts"
import type { CommentsToSend } from "../records/review/drafts.ts"
import type { ReviewService } from "../records/review/review-service.ts"
import type { DiffedFile } from "../records/review/reviews-deps.ts"
import { workingProject } from "../setup/project/working-project.ts"
import type { Services } from "./create-services.ts"

/** How many steps a diff may include. */
const maxSteps = 200

/** What reviews read of changes, and how they reach agents. */
interface ReviewUses {
  changes: ChangeService
  tasks: SendCommentsDeps["tasks"]
  submit: SendCommentsDeps["submit"]
  resume: SendCommentsDeps["resume"]
}

/** Creates reviews with the changes of a tree and the ways to send comments to agents. */
export function createRuntimeReviews(
  services: Services,
  { changes, ...sending }: ReviewUses,
): (caller: Caller) => ReviewService {
  const { sessions, projects, notes } = services
  const deps = {
    ...services,
    sessionByID: sessions.get,
    notesChanged: notes.notified,
    send: (by: Caller, sent: CommentsToSend) =>
      sendComments({ ...services, ...sending, sessionByID: sessions.get }, by, sent),
    async patchesOf(rootID: string, files: readonly DiffedFile[]) {
      const all = files.length === 0 ? [] : (await changes.list(rootID)).changes
      return Promise.all(
        files.map(async ({ scope, path }) => {
          const own = all.filter((change) => change.path === path && isInScope(change, scope))
          const steps = own.slice(-maxSteps).map(({ sessionID, messageID }) => ({ sessionID, messageID }))
          return steps.length === 0 ? [] : (await changes.diff(rootID, path, steps)).map(({ patch }) => patch)
        }),
      )
    },
    async filesOf({ sessionID, worktree }: Task) {
      // Nobody else changes files in the task's own worktree.
      if (worktree !== null) return []
      const session = await sessions.get(sessionID)
      const project = workingProject(await sessions.get(session.rootID), await projects.get(session.projectID))
      if (!isWithin(project.worktree, session.directory)) return []
      const { changes: all } = await changes.list(session.rootID)
      const paths = all.filter((change) => change.sessionID === sessionID).map(({ path }) => path)
      return [...new Set(paths)].sort().map((path) => (isAbsolute(path) ? path : join(project.worktree, path)))
    },
  }
  return (caller) => createReviews(deps, caller)
}

function isInScope({ taskID, promptID }: StepChange, scope: DiffScope): boolean {
  return scope.kind === "task" ? taskID === scope.taskID : promptID === scope.promptID
}
