import { mkdir } from "node:fs/promises"
import { join, relative } from "node:path"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { PromptPart, Session, Task } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { DelegateRequest, Delegator } from "./delegate-request.ts"
import type { Worktrees } from "./worktrees.ts"

/** Files that a child is told of by name. */
const maxNamed = 20

/** Where a task works, and what has to be stored for that. */
export interface WorkPlace {
  child: Session
  mutations: Mutation[]
  worktree: Task["worktree"]
  /** What the child is told of the place. */
  told: PromptPart[]
  /** Takes back what was made: the task does not start. */
  discard(): Promise<void>
}

/**
 * The directory of the parent, a git worktree of the task's own, or the worktree in which a resumed child has worked
 * before: that one's branch then belongs to the new task.
 * @throws worktree_failed
 */
export async function workPlace(
  deps: { store: Pick<Store, "task">; worktrees: Worktrees },
  turn: Pick<Delegator, "project" | "session" | "config">,
  request: DelegateRequest,
  made: { child: Session; mutations: Mutation[] },
): Promise<WorkPlace> {
  const plain = { ...made, worktree: null, told: [], discard: async () => {} }
  if (request.taskID !== undefined) return takeOver(deps, plain)
  const isolated = turn.config.agent?.[request.agent.name]?.isolation === "worktree"
  if (!isolated || made.mutations.length === 0) return plain
  const { project, session } = turn
  const left = await deps.worktrees.uncommitted(project)
  const worktree = await deps.worktrees.create(project, request.description)
  const directory = join(worktree.directory, relative(project.worktree, session.directory))
  await mkdir(directory, { recursive: true })
  const child = { ...made.child, directory }
  const names =
    left.slice(0, maxNamed).map(plainName).join(", ") +
    (left.length > maxNamed ? ` and ${left.length - maxNamed} more` : "")
  const text = `You work in a git worktree of the last commit. The project has changes that are not committed and that you do not see: ${names}.`
  const told: PromptPart = {
    type: "text",
    text: `<system-reminder>${text}</system-reminder>`,
    synthetic: true,
    notice: { kind: "remark", text },
  }
  return {
    child,
    mutations: [{ kind: "session", value: child }],
    worktree,
    told: left.length === 0 ? [] : [told],
    discard: () => deps.worktrees.discard(project, worktree),
  }
}

async function takeOver({ store }: { store: Pick<Store, "task"> }, plain: WorkPlace): Promise<WorkPlace> {
  const before = await store.task.byChild(plain.child.id)
  if (!before?.worktree) return plain
  const { state } = before.worktree
  if (state === "merged" || state === "removed") {
    throw new Error(`The worktree of this task is gone (${state}). Leave task_id out to start a new one.`)
  }
  const handedOver: Mutation = { kind: "task", value: { ...before, worktree: null } }
  const worktree = { ...before.worktree, state: "active" as const, conflicts: [] }
  return { ...plain, mutations: [...plain.mutations, handedOver], worktree }
}

/** A file's name as it may stand in a line of Docket's own: it may hold line breaks and anything else. */
function plainName(name: string): string {
  return quoteFrames(/\p{Cc}/u.test(name) ? JSON.stringify(name) : name)
}
