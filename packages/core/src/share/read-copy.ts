import type { Message, Part, Session, Share, TaskSummary, Todo } from "../schema/index.ts"
import type { ShareCopyStore, ShareRow } from "../store/index.ts"
import type { SharedMessages, SharedSessions, ShareService } from "./share-service.ts"

const pageSize = { default: 50, max: 2_000 }

/** The tree as the copy has it. Rows were made from these very types. */
export async function readSharedTree(copies: ShareCopyStore, share: Share, seq: number): Promise<SharedSessions> {
  const rows = await copies.rows(share.id, ["session", "todos", "task"])
  const of = <T>(kind: ShareRow["kind"]) =>
    rows.filter((row) => row.kind === kind).map(({ data }) => JSON.parse(data) as T)
  const sessions = of<Session>("session").sort(byCreation)
  const lists = of<{ sessionID: string; todos: Todo[] }>("todos")
  const tasks = of<TaskSummary>("task").sort((left, right) => left.number - right.number)
  return { seq, sessions, todos: Object.fromEntries(lists.map(({ sessionID, todos }) => [sessionID, todos])), tasks }
}

type Query = Parameters<ShareService["copy"]["messages"]>[1]

export async function readSharedMessages(
  copies: ShareCopyStore,
  shareID: string,
  { seq, ...query }: Query & { seq: number },
): Promise<SharedMessages> {
  const limit = Math.min(query.limit ?? pageSize.default, pageSize.max)
  const page = await copies.page(shareID, { ...query, limit })
  const parts = Map.groupBy(page.parts, ({ messageID }) => messageID)
  const items = page.messages.map((row) => ({
    info: JSON.parse(row.data) as Message,
    parts: (parts.get(row.id) ?? []).map(({ data }) => JSON.parse(data) as Part),
  }))
  return { items, before: page.before, after: page.after, seq }
}

/** Root first, then as they were made. */
function byCreation(left: Session, right: Session): number {
  return left.depth === 0
    ? -1
    : right.depth === 0
      ? 1
      : left.time.created - right.time.created || (left.id < right.id ? -1 : 1)
}
