import { TaskToldError } from "../../ground/error/docket-error.ts"
import type { Caller, PromptPart, Session, Task, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { endedNotice } from "./task-answers.ts"
import type { TreeBudgets } from "./tree-budgets.ts"

/** Tasks of one parent that end within this time (ms) are told in one turn. */
const gatherMs = 50

export interface TaskNoticesDeps {
  store: Pick<Store, "session" | "task">
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(
    session: Session,
    parts: PromptPart[],
    options: { agent: string; model: Task["model"] | null; cause: Caller | undefined; mutations?: Mutation[] },
  ): Promise<Turn>
  /** Whether a turn of the session runs, here or elsewhere. */
  isRunning(sessionID: string): Promise<boolean>
  budgets: Pick<TreeBudgets, "isOutOfTime">
}

/** Tells parents of background tasks that have ended and that no poll has fetched, each end once. */
export interface TaskNotices {
  /** Soon, unless the parent works: it is told when its turn ends. */
  soon(parentID: string): Promise<void>
  now(parentID: string): Promise<void>
}

export function createTaskNotices(deps: TaskNoticesDeps): TaskNotices {
  const gathering = new Map<string, Promise<void>>()
  const telling = new Map<string, Promise<void>>()
  // One after another for each parent: two at once would tell the same end twice.
  const now = (parentID: string): Promise<void> => {
    const before = telling.get(parentID) ?? Promise.resolve()
    const after = before.then(() => tellParent(deps, parentID))
    const settled = after.catch(() => {})
    telling.set(parentID, settled)
    void settled.then(() => {
      if (telling.get(parentID) === settled) telling.delete(parentID)
    })
    return after
  }
  return {
    now,
    soon(parentID) {
      const known = gathering.get(parentID)
      if (known !== undefined) return known
      const telling = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(async () => {
        gathering.delete(parentID)
        return (await deps.isRunning(parentID)) ? undefined : now(parentID)
      })
      gathering.set(parentID, telling)
      return telling
    },
  }
}

/**
 * One synthetic turn for all that is untold, of each person for whom it worked. It is the root's also when a child delegated: what the child is not told
 * before its own end it could not use any more.
 */
async function tellParent(deps: TaskNoticesDeps, parentID: string): Promise<void> {
  const parent = await deps.store.session.get(parentID)
  if (parent === null) return
  const untold = (await deps.store.task.untold(parent.rootID)).filter((task) => task.parentID === parentID)
  const [first] = untold
  if (first === undefined) return
  const { cause } = first
  const tasks = untold.filter((task) => task.cause?.person === cause?.person)
  const target = parent.parentID === null ? parent : await deps.store.session.get(parent.rootID)
  if (target === null || target.revert) return
  // A person has stopped it, or its time is up and a turn would end at once: nothing wakes it but a person's next
  // prompt, which brings new time and at whose end it is told.
  if (target.abortedAt !== null || deps.budgets.isOutOfTime(target)) return
  const mutations = tasks.map(({ id }): Mutation => ({ kind: "task.told", taskID: id }))
  try {
    await deps.submit(target, [endedNotice(tasks)], { agent: target.agent, model: target.model, cause, mutations })
  } catch (error) {
    if (!(error instanceof TaskToldError)) throw error
    // Another runtime tells of some of them: those that are left.
    return tellParent(deps, parentID)
  }
  if (tasks.length < untold.length) await tellParent(deps, parentID)
}
