import { CommentSentError } from "../error/docket-error.ts"
import { addUsage } from "../message/usage.ts"
import type { ReviewComment, Session, Todo } from "../schema/index.ts"
import type { CommentChange, Mutation } from "./port/tree-change.ts"
import { byPosition } from "./record/todo.ts"

const sessionChanges = ["session.patch", "session.note", "session.notes.read", "session.used", "session.read"] as const

export type SessionChange = Extract<Mutation, { kind: (typeof sessionChanges)[number] }>

/** Whether a mutation changes a session that is there. */
export function isSessionChange(mutation: Mutation): mutation is SessionChange {
  return sessionChanges.some((kind) => kind === mutation.kind)
}

/** The session as a change leaves it. Of a patch, what is left out or undefined stays as it is. */
export function changedSession(session: Session, change: SessionChange): Session {
  switch (change.kind) {
    case "session.patch": {
      const fields = Object.entries(change.patch).filter(([, value]) => value !== undefined)
      return { ...session, ...Object.fromEntries(fields) }
    }
    case "session.note":
      return { ...session, notes: [...(session.notes ?? []), change.value] }
    case "session.notes.read":
      return { ...session, notes: (session.notes ?? []).filter(({ id }) => !change.ids.includes(id)) }
    case "session.used":
      return { ...session, ...addUsage(session, change.used) }
    case "session.read": {
      const { person, at } = change
      return { ...session, read: { ...session.read, [person]: Math.max(at, session.read?.[person] ?? 0) } }
    }
    default:
      return change satisfies never
  }
}

/** The session's list after the mutation; both are by position. */
export function changedList(
  list: readonly Todo[],
  mutation: Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>,
): Todo[] {
  switch (mutation.kind) {
    case "todos":
      return mutation.value.toSorted(byPosition)
    case "todo":
      return inserted(
        list.filter(({ id }) => id !== mutation.value.id),
        mutation.value,
      )
    case "todo.remove":
      return list.filter(({ id }) => id !== mutation.todoID)
    default:
      return mutation satisfies never
  }
}

function inserted(list: Todo[], todo: Todo): Todo[] {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = list[middle]
    if (other !== undefined && byPosition(other, todo) < 0) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, todo)
  return list
}

/**
 * The comment after a change. A change that comes too late (of another sending, a second answer) has no effect.
 * @throws CommentSentError
 */
export function changedComment(comment: ReviewComment, change: CommentChange): ReviewComment {
  const { sent, time } = comment
  switch (change.kind) {
    case "edited": {
      if (time.deleted !== null) return comment
      const { text, mentions, at } = change
      return { ...comment, text, mentions, time: { ...time, edited: at } }
    }
    case "deleted":
      if (time.deleted !== null) return comment
      return { ...comment, text: "", mentions: [], time: { ...time, deleted: change.at } }
    case "sent":
      if (time.deleted !== null || (sent?.id ?? null) !== change.instead) throw new CommentSentError(comment.id)
      return { ...comment, sent: change.sent, answer: null }
    case "read":
      if (sent?.id !== change.sendingID || sent.messageID !== null) return comment
      return { ...comment, sent: { ...sent, messageID: change.messageID } }
    case "answered":
      if (asksOf(comment) === null) return comment
      return { ...comment, answer: { messageID: change.messageID } }
    default:
      return change satisfies never
  }
}

/** The session whose agent has read the comment and not answered it yet. */
export function asksOf({ sent, answer }: Pick<ReviewComment, "sent" | "answer">): string | null {
  return sent !== null && sent.messageID !== null && answer === null ? sent.sessionID : null
}

/** Tables of the mutations that put one row. */
const tableOf = {
  session: "Session",
  message: "Message",
  part: "Part",
  turn: "Turn",
  task: "Task",
  thread: "ReviewThread",
  comment: "ReviewComment",
  verdict: "ReviewVerdict",
  viewed: "ReviewViewed",
  permission: "PermissionRequest",
} as const

/** A row by the name of its table. */
export interface NewRow {
  table: (typeof tableOf)[keyof typeof tableOf] | "Todo" | "TodoChange"
  id: string
}

type RowMutation = Extract<Mutation, { kind: keyof typeof tableOf }>

/** The rows that mutations put where there are none yet. */
export function newRows(mutations: readonly Mutation[]): NewRow[] {
  return mutations.flatMap((mutation): NewRow[] => {
    if (mutation.kind === "todos") {
      const todos = mutation.value.map(({ id }) => ({ table: "Todo" as const, id }))
      return [...todos, ...(mutation.changes ?? []).map(({ id }) => ({ table: "TodoChange" as const, id }))]
    }
    return putsRow(mutation) ? [{ table: tableOf[mutation.kind], id: mutation.value.id }] : []
  })
}

function putsRow(mutation: Mutation): mutation is RowMutation {
  return Object.hasOwn(tableOf, mutation.kind)
}
