import { momentOf } from "../../ground/id/moment-of.ts"
import type { MessageWithParts, Session, TaskSummary } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** The undone part of one session in the tree. */
export interface UndoneSession {
  session: Session
  messages: MessageWithParts[]
  /** The undone part created this child, so all of it is undone. */
  whole: boolean
}

interface UndoneSpan {
  sessionID: string
  /** The first undone timestamp; empty for all. */
  from: string
  whole: boolean
}

/** Messages read at once. */
const pageSize = 500

/**
 * Everything that a session did from one message on: its own messages, and the work of its later tasks in child
 * sessions, recursively. A resumed child is undone from there on. The session itself comes first.
 * @param until an id: tasks that started after it are not included
 */
export async function undonePart(
  store: Pick<Store, "session" | "task" | "transcript">,
  session: Session,
  { messageID, until }: { messageID: string; until: string },
): Promise<UndoneSession[]> {
  const tasks = (await store.task.tree(session.rootID)).filter((task) => momentOf(task.id) < momentOf(until))
  const sessions = new Map((await store.session.tree(session.rootID)).map((member) => [member.id, member]))
  const part: UndoneSession[] = []
  const spans: UndoneSpan[] = [{ sessionID: session.id, from: momentOf(messageID), whole: false }]
  for (const span of spans) {
    const member = sessions.get(span.sessionID)
    if (member === undefined) continue
    part.push({ session: member, messages: await messagesFrom(store, span), whole: span.whole })
    spans.push(...below(tasks, span))
  }
  return part
}

/** The children in which the undone tasks of a session worked. */
function below(tasks: TaskSummary[], { sessionID, from }: UndoneSpan): UndoneSpan[] {
  const started = tasks.filter((task) => task.parentID === sessionID && momentOf(task.messageID ?? task.id) >= from)
  return [...Map.groupBy(started, (task) => task.sessionID)].map(([childID, own]) => {
    const whole = tasks.every((task) => task.sessionID !== childID || own.includes(task))
    const first = own.map((task) => momentOf(task.id)).sort()[0] ?? ""
    return { sessionID: childID, from: whole ? "" : first, whole }
  })
}

async function messagesFrom(store: Pick<Store, "transcript">, { sessionID, from }: UndoneSpan) {
  const messages: MessageWithParts[] = []
  // Shorter than any id, so it sorts just before the ids of the same timestamp.
  let after: string | null = `msg_${from}`
  while (after !== null) {
    const page = await store.transcript.page({ sessionID, after, limit: pageSize })
    messages.push(...page.items)
    after = page.after
  }
  return messages
}
