import type { MessageWithParts, Project, Session, Task, TaskSize } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { ChangeService, TreeChanges } from "./change-service.ts"
import { fileDiff } from "./file-diff.ts"
import { withKnownChanges } from "./known-changes.ts"
import { type ReadStepsDeps, readSteps } from "./read-steps.ts"
import { readTree, type TreeMessages } from "./read-tree.ts"
import { createSessionMessages, unsettled } from "./session-messages.ts"
import { hasUnseenCommand, stepChanges } from "./step-changes.ts"
import { originsOf } from "./step-origin.ts"
import { taskSize } from "./task-size.ts"

export interface ChangesDeps extends ReadStepsDeps {
  store: Store
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
}

/** Changes of an answer; a step that unpacked a whole dependency would be a list for nobody. */
const maxChanges = 2_000

/** What core itself asks besides. */
export interface Changes extends ChangeService {
  /** How much a task has changed by now. @throws session_not_found */
  sizeOf(task: Pick<Task, "id" | "sessionID">): Promise<TaskSize>
}

export function createChanges(deps: ChangesDeps): Changes {
  const messagesOf = createSessionMessages(deps.store)
  const snapshots = withKnownChanges(deps.snapshots)
  const kept = { ...deps, messagesOf, snapshots }
  return {
    async list(sessionID) {
      const { rootID, projectID } = await deps.sessionByID(sessionID)
      return treeChanges(kept, rootID, await deps.projectByID(projectID))
    },
    async diff(sessionID, path, steps) {
      const { rootID, projectID } = await deps.sessionByID(sessionID)
      return fileDiff(deps, { rootID, project: await deps.projectByID(projectID), path, steps })
    },
    async sizeOf(task) {
      const session = await deps.sessionByID(task.sessionID)
      return taskSize(kept, task, { session, project: await deps.projectByID(session.projectID) })
    },
  }
}

async function treeChanges(
  deps: ChangesDeps & { messagesOf: ReturnType<typeof createSessionMessages> },
  rootID: string,
  project: Project,
): Promise<TreeChanges> {
  const [tree, tasks] = await Promise.all([readTree(deps, rootID), deps.store.task.tree(rootID)])
  const originOf = originsOf(tree.messages, tasks)
  const read = await readSteps(deps, project, tree)
  const all = tree.messages.flatMap((message) =>
    stepChanges(message, read.get(message.info.id) ?? null).map(({ change }) => ({
      ...change,
      ...originOf(message.info),
    })),
  )
  const changes = all.slice(-maxChanges)
  const turns = new Set(changes.map(({ promptID }) => promptID))
  return {
    changes,
    prompts: tree.messages.flatMap((message) =>
      turns.has(message.info.id) ? [{ id: message.info.id, text: promptText(message) }] : [],
    ),
    unseen: !hasUnseen(tree) ? null : project.git ? "no_snapshot" : "no_git",
    truncated: tree.truncated || changes.length < all.length,
  }
}

/** Whether a command ran of which there is no record, and none that may still come. */
function hasUnseen({ sessions, messages }: TreeMessages): boolean {
  return [...Map.groupBy(messages, ({ info }) => info.sessionID)].some(([sessionID, own]) => {
    const settled = sessions.get(sessionID)?.status.type === "idle" ? own : own.slice(0, -unsettled)
    return settled.some(hasUnseenCommand)
  })
}

function promptText({ parts }: MessageWithParts): string {
  const text = parts.find((part) => part.type === "text" && part.synthetic !== true)
  return text?.type === "text" ? text.text.trim() : ""
}
