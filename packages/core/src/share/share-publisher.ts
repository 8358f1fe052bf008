import { setImmediate as nextTurn } from "node:timers/promises"
import { createKeyedQueue } from "../concurrency/keyed-queue.ts"
import { changeEvent } from "../event/change-event.ts"
import type { Share } from "../schema/index.ts"
import type { FeedChange, ShareCopy, ShareRow, Store } from "../store/index.ts"
import { taskSummary } from "../store/index.ts"
import type { ShareSource } from "./public-row.ts"
import { type ShareScan, todosID } from "./share-scan.ts"
import { type VisibleTree, visibleTree } from "./visible-tree.ts"

/** Keeps the copies of shares at what their trees hold. */
export interface SharePublisher {
  /** Brings the copy up to date; what several ask for at once is done once. Null when the share is dead. */
  catchUp(shareID: string): Promise<ShareCopy | null>
  /** Makes the copy anew: what is shown of the tree has changed. */
  rebuild(shareID: string): Promise<ShareCopy | null>
}

export interface SharePublisherDeps {
  store: Pick<Store, "feed" | "session" | "transcript" | "todo" | "task" | "share" | "shareCopy">
  /** What rows of the share are scanned with; asked for each time that something is to be scanned. */
  scanOf(share: Share): Promise<ShareScan>
  /** Hears of rows once they are stored. */
  onPublished(share: Share, rows: readonly ShareRow[]): void
}

type Draft = Omit<ShareRow, "seq">

/** Changes read at a time, and messages. */
const readSize = 500
const pageSize = 200
/** Rows of a first copy that one transaction takes. */
const writeSize = 500
/** The event loop is held no longer than this while rows are scanned (ms). */
const breathMs = 8

export function createSharePublisher(deps: SharePublisherDeps): SharePublisher {
  const { store } = deps
  const waiting = new Map<string, Promise<ShareCopy | null>>()
  const inOrder = createKeyedQueue()
  /** The row is read each time: what its owner takes back must not be shown by what somebody still holds of it. */
  const work = (shareID: string, run: typeof follow) =>
    inOrder(shareID, async () => {
      waiting.delete(shareID)
      const share = await store.share.get(shareID)
      const copy = share && (await store.shareCopy.open(shareID))
      return share && copy && run(deps, share, copy)
    })
  return {
    catchUp(shareID) {
      const known = waiting.get(shareID)
      if (known) return known
      const next = work(shareID, follow)
      waiting.set(shareID, next)
      return next
    },
    rebuild: (shareID) => work(shareID, rebuild),
  }
}

/** Puts everything in that changed behind the cursor. Another runtime may do so at the same time: one of both wins. */
async function follow(deps: SharePublisherDeps, share: Share, first: ShareCopy): Promise<ShareCopy | null> {
  const { store } = deps
  let copy: ShareCopy | null = first
  while (copy !== null) {
    if (copy.cursor === 0) copy = await rebuild(deps, share, copy)
    if (copy === null || share.mode === "frozen") return copy
    const { cursor } = copy
    const changes = await store.feed.changesSince(share.rootID, cursor, readSize)
    const last = changes.at(-1)
    if (last === undefined) return copy
    const tree = visibleTree(await store.session.tree(share.rootID), share.left)
    if (isSame(tree.undone, copy.undone)) {
      const rows = await rowsOf(await deps.scanOf(share), tree, changes)
      await publish(deps, share, { from: cursor, to: last.seq, undone: tree.undone, rows })
    } else await copyTree(deps, share, copy)
    copy = await store.shareCopy.get(share.id)
  }
  return null
}

/** Copies the whole tree until nobody writes in between. */
async function rebuild(deps: SharePublisherDeps, share: Share, first: ShareCopy): Promise<ShareCopy | null> {
  let copy: ShareCopy | null = first
  while (copy !== null) {
    const isDone = await copyTree(deps, share, copy)
    copy = await deps.store.shareCopy.get(share.id)
    if (isDone) return copy
  }
  return null
}

/** False when another was first, or when the copy is gone: nothing is written then. */
async function publish(
  { store, onPublished }: SharePublisherDeps,
  share: Share,
  write: Parameters<Store["shareCopy"]["publish"]>[1],
): Promise<boolean> {
  const rows = await store.shareCopy.publish(share.id, write)
  if (rows !== null) onPublished(share, rows)
  return rows !== null
}

async function rowsOf(scan: ShareScan, tree: VisibleTree, changes: readonly FeedChange[]): Promise<Draft[]> {
  for (const change of changes) if (change.kind === "part") scan.learn(change.value)
  const breathe = breather()
  const rows: Draft[] = []
  for (const change of changes) {
    rows.push(...changeRows(scan, tree, change))
    await breathe()
  }
  return rows
}

function changeRows(scan: ShareScan, tree: VisibleTree, change: FeedChange): Draft[] {
  const source = sourceOf(change)
  if (source !== null) {
    if (!isVisible(tree, source)) return []
    return [scan.toRow(source) ?? removedPart(source)].filter((row) => row !== null)
  }
  switch (change.kind) {
    case "message.removed":
      return [removed(change.messageID, change.sessionID, change)]
    case "part.removed":
      return [removed(change.partID, change.sessionID, change)]
    case "session.removed":
      return [
        removed(change.sessionID, change.sessionID, change),
        removed(todosID(change.sessionID), change.sessionID, null),
      ]
    default:
      return []
  }
}

function sourceOf(change: FeedChange): ShareSource | null {
  switch (change.kind) {
    case "session":
    case "message":
    case "part":
      return change
    case "todos":
      return change
    case "task":
      return { kind: "task", value: taskSummary(change.value) }
    default:
      return null
  }
}

function isVisible({ isShown, isDone }: VisibleTree, source: ShareSource): boolean {
  switch (source.kind) {
    case "session":
      return isShown(source.value.id)
    case "todos":
      return isShown(source.sessionID)
    case "message":
      return isShown(source.value.sessionID) && isDone(source.value.sessionID, source.value.id)
    case "part":
      return isShown(source.value.sessionID) && isDone(source.value.sessionID, source.value.messageID)
    case "task": {
      const { parentID, sessionID, messageID } = source.value
      return isShown(sessionID) && (messageID === null || isDone(parentID, messageID))
    }
  }
}

/** A part that was shown while it grew and holds, as a whole, what is to be left out. */
function removedPart(source: ShareSource): Draft | null {
  if (source.kind !== "part") return null
  const { id, sessionID, messageID } = source.value
  return removed(id, sessionID, { rootID: "", seq: 0, kind: "part.removed", sessionID, messageID, partID: id })
}

/** What is told in the place of a row. `change` is null where another row's removal tells of it. */
function removed(id: string, sessionID: string, change: FeedChange | null): Draft {
  const event = change && changeEvent(change)
  const data = JSON.stringify(event && { type: event.type, properties: event.properties })
  return { id, kind: "removed", sessionID, messageID: null, redacted: 0, data }
}

/** The whole tree as it is now, in place of what the copy holds. False when another wrote meanwhile. */
async function copyTree(deps: SharePublisherDeps, share: Share, copy: ShareCopy): Promise<boolean> {
  const { store } = deps
  // Read first: what changes while the rest is read comes again. A tree that is gone takes its copies with it.
  const head = (await store.feed.head(share.rootID)) ?? copy.cursor
  const sources = await treeSources(store, share)
  const scan = await deps.scanOf(share)
  for (const { kind, value } of sources.list) if (kind === "part") scan.learn(value)
  const breathe = breather()
  const drafts: Draft[] = []
  for (const source of sources.list) {
    const row = scan.toRow(source)
    if (row !== null) drafts.push(row)
    await breathe()
  }
  const rows = copy.seq === 0 ? drafts : await changed(store, share, drafts)
  const { undone } = sources.tree
  for (let at = 0; at + writeSize < rows.length; at += writeSize) {
    const part = { from: copy.cursor, to: copy.cursor, undone: copy.undone, rows: rows.slice(at, at + writeSize) }
    if (!(await publish(deps, share, part))) return false
  }
  const rest = rows.slice(rows.length - (rows.length % writeSize || Math.min(rows.length, writeSize)))
  return publish(deps, share, { from: copy.cursor, to: head, undone, rows: rest })
}

/** What differs from the rows that are there, and what is told of those that go. */
async function changed(store: SharePublisherDeps["store"], share: Share, drafts: readonly Draft[]): Promise<Draft[]> {
  const kinds = ["session", "message", "part", "todos", "task"] as const
  const there = new Map((await store.shareCopy.rows(share.id, kinds)).map((row) => [row.id, row]))
  const rows = drafts.filter((row) => there.get(row.id)?.data !== row.data)
  for (const { id } of drafts) there.delete(id)
  for (const { id, kind, sessionID, messageID } of there.values()) {
    const place = { rootID: share.rootID, seq: 0, sessionID }
    if (kind === "session") rows.push(removed(id, sessionID, { ...place, kind: "session.removed" }))
    else if (kind === "message") rows.push(removed(id, sessionID, { ...place, kind: "message.removed", messageID: id }))
    else if (kind === "part" && messageID !== null)
      rows.push(removed(id, sessionID, { ...place, kind: "part.removed", messageID, partID: id }))
    else rows.push(removed(id, sessionID, null))
  }
  return rows
}

/** Everything that a share shows of its tree, transcripts in their order. */
export async function treeSources(
  store: Pick<Store, "session" | "transcript" | "todo" | "task">,
  { rootID, left }: Pick<Share, "rootID" | "left">,
): Promise<{ tree: VisibleTree; list: ShareSource[] }> {
  const [sessions, todos, tasks] = await Promise.all([
    store.session.tree(rootID),
    store.todo.tree(rootID),
    store.task.tree(rootID),
  ])
  const tree = visibleTree(sessions, left)
  const list: ShareSource[] = []
  for (const value of tree.sessions) {
    list.push({ kind: "session", value })
    const own = todos[value.id]
    if (own !== undefined) list.push({ kind: "todos", sessionID: value.id, value: own })
    let after: string | null = ""
    while (after !== null) {
      const page = await store.transcript.page({ sessionID: value.id, after, limit: pageSize })
      for (const { info, parts } of page.items) {
        list.push({ kind: "message", value: info })
        for (const part of parts) list.push({ kind: "part", value: part })
      }
      after = page.after
    }
  }
  for (const value of tasks) list.push({ kind: "task", value })
  return { tree, list: list.filter((source) => isVisible(tree, source)) }
}

/** Lets others work after each `breathMs`. */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < breathMs) return
    await nextTurn()
    since = performance.now()
  }
}

function isSame(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}
