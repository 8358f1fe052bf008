import { type Moment, momentsOf, type Past } from "../../ground/message/timeline.ts"
import type { Store } from "../../ground/store/index.ts"

/** Messages read at a time. */
const pageSize = 500
/** Most messages read of a tree (newest of each session first), and most changes read of each todo list. */
const maxRead = { messages: 10_000, changes: 2_000 }

/** The known past of a tree. `truncated`: older entries are missing. */
export interface TreePast extends Past {
  truncated: boolean
}

/** Reads the times of all events in a tree. */
export async function readTreePast(
  store: Pick<Store, "session" | "transcript" | "todo">,
  rootID: string,
): Promise<TreePast> {
  const sessions = await store.session.tree(rootID)
  const moments: Moment[] = []
  let left = maxRead.messages
  for (const { id } of sessions) {
    for (let before: string | null | undefined; before !== null && left > 0; ) {
      const page = await store.transcript.page({
        sessionID: id,
        limit: Math.min(pageSize, left),
        ...(before !== undefined && { before }),
      })
      moments.push(...page.items.flatMap(momentsOf))
      left -= page.items.length
      before = page.before
    }
  }
  const lists = await Promise.all(
    sessions.map(({ id }) => store.todo.history({ sessionID: id, limit: maxRead.changes })),
  )
  return { moments: moments.sort((a, b) => a.at - b.at), changes: lists.flat(), truncated: left <= 0 }
}
