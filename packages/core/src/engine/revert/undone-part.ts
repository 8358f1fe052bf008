import { momentOf } from "../../ground/id/moment-of.ts"
import type { MessageWithParts, Session, TaskSummary } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** What is undone of one session of the tree. */
export interface UndoneSession {
  session: Session
  messages: MessageWithParts[]
  /** A child that the undone part had made: all of it is undone. */
  whole: boolean
}

interface Stretch {
  sessionID: string
  /** Moment from which on; empty for all. */
  from: string
  whole: boolean
}

const pageSize = 500

/**
 * Everything that came of a session from one message on: its own messages, and what its tasks since then did in
 * children, down the tree. A child that was resumed is undone from there; the session itself comes first.
 * @param until an id: tasks that were started after it do not belong to it
 */
export async function undonePart(
  store: Pick<Store, "session" | "task" | "transcript">,
  session: Session,
  { messageID, until }: { messageID: string; until: string },
): Promise<UndoneSession[]> {
  const tasks = (await store.task.tree(session.rootID)).filter((task) => momentOf(task.id) < momentOf(until))
  const sessions = new Map((await store.session.tree(session.rootID)).map((member) => [member.id, member]))
  const part: UndoneSession[] = []
  const stretches: Stretch[] = [{ sessionID: session.id, from: momentOf(messageID), whole: false }]
  for (const stretch of stretches) {
    const member = sessions.get(stretch.sessionID)
    if (member === undefined) continue
    part.push({ session: member, messages: await messagesFrom(store, stretch), whole: stretch.whole })
    stretches.push(...below(tasks, stretch))
  }
  return part
}

/** The children in which tasks of a stretch worked. */
function below(tasks: TaskSummary[], { sessionID, from }: Stretch): Stretch[] {
  const started = tasks.filter((task) => task.parentID === sessionID && momentOf(task.messageID ?? task.id) >= from)
  return [...Map.groupBy(started, (task) => task.sessionID)].map(([childID, own]) => {
    const whole = tasks.every((task) => task.sessionID !== childID || own.includes(task))
    const first = own.map((task) => momentOf(task.id)).sort()[0] ?? ""
    return { sessionID: childID, from: whole ? "" : first, whole }
  })
}

async function messagesFrom(store: Pick<Store, "transcript">, { sessionID, from }: Stretch) {
  const messages: MessageWithParts[] = []
  // No id is as short: it comes just before those of its moment.
  let after: string | null = `msg_${from}`
  while (after !== null) {
    const page = await store.transcript.page({ sessionID, after, limit: pageSize })
    messages.push(...page.items)
    after = page.after
  }
  return messages
}
