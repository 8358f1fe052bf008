import type { Message, Part, Session, Share, TaskSummary, Todo } from "../../ground/schema/index.ts"
import type { ShareCopyStore, ShareRow } from "../../ground/store/index.ts"
import type { LockedSession } from "./public-row.ts"
import type { SharedMessages, SharedPart, SharedSessions, ShareService } from "./share-service.ts"

const pageSize = { default: 50, max: 2_000 }

/** The tree as the copy has it. Rows were made from these very types. */
export async function readSharedTree(copies: ShareCopyStore, share: Share, seq: number): Promise<SharedSessions> {
  const rows = await copies.rows(share.id, ["session", "locked", "todos", "task"])
  const of = <T>(kind: ShareRow["kind"]) =>
    rows.filter((row) => row.kind === kind).map(({ data }) => JSON.parse(data) as T)
  const sessions = of<Session>("session").sort(byCreation)
  const locked = of<LockedSession>("locked")
  const lists = of<{ sessionID: string; todos: Todo[] }>("todos")
  const tasks = of<TaskSummary>("task").sort((left, right) => left.number - right.number)
  const todos = Object.fromEntries(lists.map(({ sessionID, todos }) => [sessionID, todos]))
  return { seq, sessions, locked, todos, tasks }
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

export async function readSharedPart(copies: ShareCopyStore, shareID: string, id: string): Promise<SharedPart | null> {
  const row = await copies.part(shareID, id)
  if (row === null) return null
  const part = JSON.parse(row.data) as Part
  return { part, sessionID: part.sessionID }
}

/** Root first, then as they were made. */
function byCreation(left: Session, right: Session): number {
  return left.depth === 0
    ? -1
    : right.depth === 0
      ? 1
      : left.time.created - right.time.created || (left.id < right.id ? -1 : 1)
}
