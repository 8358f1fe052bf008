import type { Message, Part, Session, Share, TaskSummary, Todo } from "../../ground/schema/index.ts"
import type { ShareCopyStore, ShareRow, Store } from "../../ground/store/index.ts"
import type { LockedSession } from "./public-row.ts"
import type { SharePublisher } from "./share-publisher.ts"
import { type ShareRecords, shareNotFound } from "./share-records.ts"
import type { SharedMessages, SharedPart, SharedSessions, ShareFrame, ShareService } from "./share-service.ts"
import type { ShareStreams } from "./share-stream.ts"

interface CopyReadersDeps {
  store: Pick<Store, "shareCopy">
  records: Pick<ShareRecords, "living">
  publisher: Pick<SharePublisher, "catchUp">
  streams: Pick<ShareStreams, "readers" | "follow">
  clock: () => number
  frameOf(rootID: string): Promise<ShareFrame>
}

/** What readers of a link are served: the copy, brought up to date before it is read. */
export function createCopyReaders(deps: CopyReadersDeps): ShareService["copy"] {
  const { store, records, publisher, streams, clock, frameOf } = deps
  return {
    visit: (id) => store.shareCopy.visit(id, clock()),
    async tree(id) {
      const share = await records.living(id)
      const copy = await publisher.catchUp(id)
      if (copy === null) throw shareNotFound(id)
      return readSharedTree(store.shareCopy, share, copy.seq)
    },
    async messages(id, query) {
      await records.living(id)
      const copy = await publisher.catchUp(id)
      const sessions = copy === null ? [] : await store.shareCopy.rows(id, ["session"])
      if (copy === null || !sessions.some((row) => row.id === query.sessionID)) throw shareNotFound(id)
      return readSharedMessages(store.shareCopy, id, { ...query, seq: copy.seq })
    },
    async part(id, partID) {
      await records.living(id)
      if ((await publisher.catchUp(id)) === null) throw shareNotFound(id)
      return readSharedPart(store.shareCopy, id, partID)
    },
    frame: async (id) => frameOf((await records.living(id)).rootID),
    readers: (id) => streams.readers(id),
    follow: (id, since, signal) => streams.follow(() => records.living(id), since, signal),
  }
}

const pageSize = { default: 50, max: 2_000 }

/** The tree as the copy has it. Rows were made from these very types. */
async function readSharedTree(copies: ShareCopyStore, share: Share, seq: number): Promise<SharedSessions> {
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

async function readSharedMessages(
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

async function readSharedPart(copies: ShareCopyStore, shareID: string, id: string): Promise<SharedPart | null> {
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
