import { turnOrder } from "../../message/turn-order.ts"
import { Task, Turn, type TurnOwner } from "../../schema/index.ts"
import { isUndelivered } from "../task-ends.ts"
import { beginning, defineRecord } from "./define-record.ts"

export const turnRecord = defineRecord({
  name: "Turn",
  words: ["turn", "turns"],
  schema: Turn,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    seq: "integer",
    status: "word",
    epoch: "integer",
    attempt: "integer",
    created: "number",
    ended: "number?",
  },
  given: ["rootID", "seq"],
  values: ({ time }) => ({ created: time.created, ended: time.ended }),
})

export const taskRecord = defineRecord({
  name: "Task",
  words: ["task", "tasks"],
  schema: Task,
  owner: "session",
  columns: {
    rootID: "word",
    parentID: "word",
    sessionID: "word",
    seq: "integer",
    number: "integer",
    state: "word",
    agent: "text",
    description: "text",
    worktree: "word?",
    created: "number",
    ended: "number?",
  },
  given: ["rootID", "seq"],
  values: (task) => ({
    // `untold` is no state of a task: by this column the store finds ended tasks of which their parent was not told.
    state: isUndelivered(task) ? "untold" : task.state,
    description: beginning(task.description),
    worktree: task.worktree?.state ?? null,
    created: task.time.created,
    ended: task.time.ended,
  }),
})

/** The turn as its next claim leaves it, or null when it cannot be claimed. `now` is epoch ms. */
export function claimedTurn(turn: Turn, now: number, owner?: TurnOwner): Turn | null {
  if (turn.status !== "queued" && turn.status !== "interrupted") return null
  return {
    ...turn,
    status: "running",
    attempt: turn.attempt + 1,
    epoch: turn.epoch + 1,
    error: null,
    ...(owner && { owner }),
    time: { ...turn.time, started: now, ended: null },
  }
}

/**
 * Whether a turn must wait for one of `open`, the queued and running turns of its session: for an earlier queued one,
 * or for a running one whose owner lives. A running turn without an owner was left behind by a crash.
 */
export function hasToWait(turn: Turn, open: readonly Turn[], now: number): boolean {
  return open.some((other) => {
    if (other.id === turn.id) return false
    return other.status === "queued" ? turnOrder(other, turn) < 0 : (other.owner?.until ?? 0) > now
  })
}
