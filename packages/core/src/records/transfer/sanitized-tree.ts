import { randomBytes } from "node:crypto"
import { createYield } from "../../ground/concurrency/yield-to-event-loop.ts"
import { FileSession, MessageWithParts, type Session, Share, Task } from "../../ground/schema/index.ts"
import { byCreation, type Store } from "../../ground/store/index.ts"
import type { ShareSource } from "../share/public-row.ts"
import { createShareScan, type ShareScanSources } from "../share/share-scan.ts"
import { treeSources } from "../share/tree-sources.ts"
import { portableMessage, portablePart, portableSession, portableTask } from "./portable-rows.ts"
import type { FileTree } from "./read-tree.ts"

/**
 * A tree as a share would show it, with all findings hidden: without undone parts, people, comments, and the history of
 * todos and turns.
 */
export async function sanitizedTree(
  store: Pick<Store, "session" | "transcript" | "todo" | "task">,
  rootID: string,
  sources: ShareScanSources,
): Promise<FileTree> {
  const share = shareOf(rootID)
  const scan = createShareScan(share, sources)
  const { tree, list } = await treeSources(store, share)
  const yieldToEventLoop = createYield()
  for (const { kind, value } of list) if (kind === "part") scan.learn(value)
  const rows = new Map<string, unknown>()
  for (const source of list) {
    await yieldToEventLoop()
    const row = scan.toRow(asComplete(source))
    if (row !== null) rows.set(row.id, JSON.parse(row.data))
  }
  const ids = new Set(tree.sessions.map(({ id }) => id))
  const messages = messagesOf(list, rows)
  return {
    head: {
      sanitized: true,
      rootID,
      tasks: list.flatMap((source) => (source.kind === "task" ? [taskOf(rows.get(source.value.id))] : [])),
      reviews: { threads: [], comments: [], verdicts: [], viewed: [] },
    },
    sessions: tree.sessions.toSorted(byDepth).map(({ id }) => {
      const session = FileSession.shape.session.parse(rows.get(id))
      const todos = FileSession.shape.todos.parse(Object(rows.get(`todos:${id}`) ?? {}).todos ?? [])
      return { session: portableSession(session), todos, todoChanges: [], turns: [] }
    }),
    async *messages(sessionID) {
      if (ids.has(sessionID)) yield messages.get(sessionID) ?? []
    },
    async *outputs() {},
    async *attachments() {},
  }
}

/** A share that shows everything and redacts all findings. */
function shareOf(rootID: string): Share {
  const time = { created: 0, revoked: null }
  const secret = randomBytes(32).toString("hex")
  return { ...Share.omit({ id: true }).parse({ rootID, secretHash: secret, time }), id: "", digestKey: secret }
}

/** Growing text is scanned as complete, because nothing is added to it in a file. */
function asComplete(source: ShareSource): ShareSource {
  if (source.kind === "part") return { kind: "part", value: portablePart(source.value) }
  return source.kind === "message" ? { kind: "message", value: portableMessage(source.value) } : source
}

function messagesOf(list: readonly ShareSource[], rows: ReadonlyMap<string, unknown>): Map<string, MessageWithParts[]> {
  const parts = Map.groupBy(
    list.flatMap((source) => (source.kind === "part" && rows.has(source.value.id) ? [source.value] : [])),
    ({ messageID }) => messageID,
  )
  const messages = new Map<string, MessageWithParts[]>()
  for (const source of list) {
    if (source.kind !== "message") continue
    const { id, sessionID } = source.value
    const own = (parts.get(id) ?? []).map((part) => rows.get(part.id))
    const message = MessageWithParts.parse({ info: rows.get(id), parts: own })
    const before = messages.get(sessionID)
    if (before) before.push(message)
    else messages.set(sessionID, [message])
  }
  return messages
}

/** Task fields that a share does not show are empty. */
function taskOf(row: unknown): Task {
  return portableTask(Task.parse({ prompt: "", outputSchema: null, output: null, ...Object(row) }))
}

function byDepth(left: Session, right: Session): number {
  return left.depth - right.depth || byCreation(left, right)
}
