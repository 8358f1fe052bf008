import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { createYield } from "../../ground/concurrency/yield-to-event-loop.ts"
import { changeEvent } from "../../ground/event/change-event.ts"
import type { Share, Todo } from "../../ground/schema/index.ts"
import {
  type FeedChange,
  type Hidden,
  type ShareCopy,
  type ShareRow,
  type Store,
  taskSummary,
} from "../../ground/store/index.ts"
import type { ShareSource } from "./public-row.ts"
import { type ShareScan, todosID } from "./share-scan.ts"
import { isVisible, masked, treeSources, type VisibleTree, visibleTree } from "./tree-sources.ts"

/** Keeps the copies of shares up to date with their trees. */
export interface SharePublisher {
  /** Brings the copy up to date; simultaneous calls share one run. Null when the share has ended. */
  catchUp(shareID: string): Promise<ShareCopy | null>
}

interface SharePublisherDeps {
  store: Pick<Store, "feed" | "session" | "transcript" | "todo" | "task" | "share" | "shareCopy">
  /** The scan for rows of the share; requested for each use. */
  scanOf(share: Share): Promise<ShareScan>
  /** Called with rows once they are stored. */
  onPublished(share: Share, rows: readonly ShareRow[]): void
}

/** Changes read at a time. */
const readSize = 500
/** Rows of a first copy written in one transaction. */
const writeSize = 500
const shownKinds = ["session", "locked", "message", "part", "todos", "task"] as const

export function createSharePublisher(deps: SharePublisherDeps): SharePublisher {
  const { store } = deps
  /** By share, the run that has not read anything yet, so that it will include all changes made until now. */
  const waiting = new Map<string, Promise<ShareCopy | null>>()
  const inOrder = createKeyedQueue()
  /** The share is read each time, so that a choice that its owner has just withdrawn is not used. */
  const work = (shareID: string) =>
    inOrder(shareID, async () => {
      waiting.delete(shareID)
      const share = await store.share.get(shareID)
      if (share === null || share.time.revoked !== null) return null
      // Read before opening, because opening is a write that would delay work in the tree.
      const copy = (await store.shareCopy.get(shareID)) ?? (await store.shareCopy.open(shareID))
      return copy && follow(deps, share, copy)
    })
  return {
    catchUp(shareID) {
      const known = waiting.get(shareID)
      if (known) return known
      const next = work(shareID)
      waiting.set(shareID, next)
      return next
    },
  }
}

/** Publishes all changes after the cursor. If another runtime does the same, only one of the writes succeeds. */
async function follow(deps: SharePublisherDeps, share: Share, first: ShareCopy): Promise<ShareCopy | null> {
  let copy: ShareCopy | null = first
  while (copy !== null) {
    if (copy.cursor === 0) copy = await rebuild(deps, share, copy)
    if (copy === null) return null
    const step = await takeStep(deps, share, copy)
    if (step !== "look again") return step
    copy = await deps.store.shareCopy.get(share.id)
  }
  return null
}

/** One step; returns the copy once all changes that existed at the call are published. */
async function takeStep(deps: SharePublisherDeps, share: Share, copy: ShareCopy): Promise<ShareCopy | "look again"> {
  const { store } = deps
  const { cursor } = copy
  const scan = await deps.scanOf(share)
  if (share.mode === "frozen") {
    if (isScanned(copy, scan)) return copy
    const rows = await scanAgain(scan, await store.shareCopy.rows(share.id, shownKinds))
    await publish(deps, share, { from: cursor, to: cursor, undone: copy.undone, ...secretsOf(copy, scan), rows })
    return "look again"
  }
  const changes = await store.feed.changesSince(share.rootID, cursor, readSize)
  for (const change of changes) if (change.kind === "part") scan.learn(change.value)
  const last = changes.at(-1)?.seq
  if (last === undefined && isScanned(copy, scan)) return copy
  const tree = visibleTree(await store.session.tree(share.rootID), share.left)
  const { undone } = tree
  // An undo, a new secret or another choice of the owner also changes rows that no change of the feed names.
  if (last === undefined || !isSame(undone, copy.undone) || !isScanned(copy, scan)) {
    await copyTree(deps, share, copy)
    return "look again"
  }
  const rows = await changeRows(scan, tree, changes)
  // Read after the rows were scanned, because the scan finds out which secrets occurred.
  const secrets = secretsOf(copy, scan)
  const published = await publish(deps, share, { from: cursor, to: last, undone, ...secrets, rows })
  if (published === null || changes.length === readSize) return "look again"
  return { ...copy, cursor: last, seq: published.at(-1)?.seq ?? copy.seq, undone, ...secrets }
}

/** Whether all rows of the copy were scanned with the owner's present choice and all secrets known by now. */
function isScanned({ known }: ShareCopy, scan: ShareScan): boolean {
  const scanned = new Set(known)
  return scan.known().every((digest) => scanned.has(digest))
}

/** The secrets that a copy's rows were scanned for, as stored in the copy. */
function secretsOf({ met }: ShareCopy, scan: ShareScan): Pick<ShareCopy, "known" | "met"> {
  const values = new Map([...met, ...scan.met()].map((value) => [value.value, value]))
  return { known: scan.known(), met: [...values.values()] }
}

/** Copies the whole tree, repeated until no other write came in between. */
async function rebuild(deps: SharePublisherDeps, share: Share, first: ShareCopy): Promise<ShareCopy | null> {
  let copy: ShareCopy | null = first
  while (copy !== null) {
    const isDone = await copyTree(deps, share, copy)
    copy = await deps.store.shareCopy.get(share.id)
    if (isDone) return copy
  }
  return null
}

/** The stored rows; null when another write was first or the copy is gone, and then nothing is stored. */
async function publish(
  { store, onPublished }: SharePublisherDeps,
  share: Share,
  write: Parameters<Store["shareCopy"]["publish"]>[1],
): Promise<ShareRow[] | null> {
  const rows = await store.shareCopy.publish(share.id, write)
  if (rows !== null) onPublished(share, rows)
  return rows
}

/** Replaces the copy by the whole tree as it is now. False when another write came in between. */
async function copyTree(deps: SharePublisherDeps, share: Share, copy: ShareCopy): Promise<boolean> {
  const { store } = deps
  // Read first: changes made during the other reads are then published again. When a tree is removed, its copies are
  // too.
  const head = (await store.feed.head(share.rootID)) ?? copy.cursor
  const sources = await treeSources(store, share)
  const scan = await deps.scanOf(share)
  for (const { kind, value } of sources.list) if (kind === "part") scan.learn(value)
  const yieldToEventLoop = createYield()
  const drafts: Draft[] = []
  for (const source of sources.list) {
    const row = scan.toRow(source)
    if (row !== null) drafts.push(row)
    await yieldToEventLoop()
  }
  const rows = copy.seq === 0 ? drafts : await changedRows(store, share, drafts)
  const { undone } = sources.tree
  for (let at = 0; at + writeSize < rows.length; at += writeSize) {
    const piece = { ...copy, from: copy.cursor, to: copy.cursor, rows: rows.slice(at, at + writeSize) }
    if ((await publish(deps, share, piece)) === null) return false
  }
  // The last piece also moves the cursor, so it is written even when it has no rows.
  const rest = rows.slice(rows.length - (rows.length % writeSize || Math.min(rows.length, writeSize)))
  const last = { from: copy.cursor, to: head, undone, ...secretsOf(copy, scan), rows: rest }
  return (await publish(deps, share, last)) !== null
}

/** Rows that differ from the stored ones, and removals for those that no longer exist. */
async function changedRows(
  store: SharePublisherDeps["store"],
  share: Share,
  drafts: readonly Draft[],
): Promise<Draft[]> {
  const stored = new Map((await store.shareCopy.rows(share.id, shownKinds)).map((row) => [row.id, row]))
  const rows = drafts.filter((row) => stored.get(row.id)?.data !== row.data)
  for (const { id } of drafts) stored.delete(id)
  for (const { id, kind, sessionID, messageID } of stored.values()) {
    const place = { rootID: share.rootID, seq: 0, sessionID }
    if (kind === "session") rows.push(removedRow(id, sessionID, { ...place, kind: "session.removed" }))
    else if (kind === "message")
      rows.push(removedRow(id, sessionID, { ...place, kind: "message.removed", messageID: id }))
    else if (kind === "part" && messageID !== null)
      rows.push(removedRow(id, sessionID, { ...place, kind: "part.removed", messageID, partID: id }))
    else rows.push(removedRow(id, sessionID, null))
  }
  return rows
}

function isSame(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
}

/**
 * Scans the rows of a copy again, and returns those that newly known secrets change. It does not read the tree, which
 * may have changed since the copy was made.
 */
async function scanAgain(scan: ShareScan, rows: readonly ShareRow[]): Promise<Draft[]> {
  const yieldToEventLoop = createYield()
  const drafts: Draft[] = []
  for (const row of rows) {
    const source = sourceOfRow(row)
    const draft = source && (scan.toRow(source) ?? removedPart(source))
    if (draft && draft.data !== row.data) drafts.push({ ...draft, hidden: sum(row.hidden, draft.hidden) })
    await yieldToEventLoop()
  }
  return drafts
}

/** Rows of a copy were made from these types, and scanning a row again gives the same row. */
function sourceOfRow({ kind, data }: ShareRow): ShareSource | null {
  if (kind === "removed") return null
  if (kind !== "todos") return { kind, value: JSON.parse(data) } as ShareSource
  const list = JSON.parse(data) as { sessionID: string; todos: Todo[] }
  return { kind, sessionID: list.sessionID, value: list.todos }
}

function sum(left: Hidden, right: Hidden): Hidden {
  const labels = Object.keys({ ...left, ...right })
  return Object.fromEntries(labels.map((label) => [label, (left[label] ?? 0) + (right[label] ?? 0)]))
}

/** A row without a number yet. */
type Draft = Omit<ShareRow, "seq">

/** The rows that changes of the tree lead to. */
async function changeRows(scan: ShareScan, tree: VisibleTree, changes: readonly FeedChange[]): Promise<Draft[]> {
  const yieldToEventLoop = createYield()
  const rows: Draft[] = []
  for (const change of changes) {
    rows.push(...rowsOf(scan, tree, change))
    await yieldToEventLoop()
  }
  return rows
}

function rowsOf(scan: ShareScan, tree: VisibleTree, change: FeedChange): Draft[] {
  const source = sourceOfChange(change)
  if (source !== null) {
    if (!isVisible(tree, source)) return []
    return [scan.toRow(masked(source, tree)) ?? removedPart(source)].filter((row) => row !== null)
  }
  switch (change.kind) {
    case "message.removed":
      return [removedRow(change.messageID, change.sessionID, change)]
    case "part.removed":
      return [removedRow(change.partID, change.sessionID, change)]
    case "session.removed":
      return [
        removedRow(change.sessionID, change.sessionID, change),
        removedRow(todosID(change.sessionID), change.sessionID, null),
      ]
    default:
      return []
  }
}

function sourceOfChange(change: FeedChange): ShareSource | null {
  switch (change.kind) {
    case "session":
    case "message":
    case "part":
    case "todos":
      return change
    case "task":
      return { kind: "task", value: taskSummary(change.value) }
    default:
      return null
  }
}

/** Removes a part that was shown while it grew and now contains something to leave out. */
function removedPart(source: ShareSource): Draft | null {
  if (source.kind !== "part") return null
  const { id, sessionID, messageID } = source.value
  // The event that is made of this has neither `rootID` nor `seq`.
  return removedRow(id, sessionID, { rootID: "", seq: 0, kind: "part.removed", sessionID, messageID, partID: id })
}

/** The event for a removed row. `change` is null when the removal of another row already implies it. */
function removedRow(id: string, sessionID: string, change: FeedChange | null): Draft {
  const event = change && changeEvent(change)
  const data = JSON.stringify(event && { type: event.type, properties: event.properties })
  return { id, kind: "removed", sessionID, messageID: null, hidden: {}, data }
}
