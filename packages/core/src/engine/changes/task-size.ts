import { momentOf } from "../../ground/id/moment-of.ts"
import type { Project, Session, Task, TaskSize } from "../../ground/schema/index.ts"
import { type ReadStepsDeps, readSteps } from "./read-steps.ts"
import { maxMessages } from "./read-tree.ts"
import type { createSessionMessages } from "./session-messages.ts"
import { stepChanges } from "./step-changes.ts"

type Deps = ReadStepsDeps & { messagesOf: ReturnType<typeof createSessionMessages> }

/** How much the child of a task changed since the task was made: lines are summed over its steps, as lists of files do. */
export async function taskSize(
  deps: Deps,
  task: Pick<Task, "id">,
  { session, project }: { session: Session; project: Project },
): Promise<TaskSize> {
  const { messages } = await deps.messagesOf(session.id, maxMessages.session)
  const own = messages.filter(({ info }) => momentOf(info.id) > momentOf(task.id))
  const read = await readSteps(deps, project, { sessions: new Map([[session.id, session]]), messages: own })
  const changes = own.flatMap((message) => stepChanges(message, read.get(message.info.id) ?? null))
  const sum = (side: "added" | "removed") =>
    changes.reduce((total, { change }) => total + (change.lines?.[side] ?? 0), 0)
  return {
    files: new Set(changes.map(({ change }) => change.path)).size,
    added: sum("added"),
    removed: sum("removed"),
  }
}
