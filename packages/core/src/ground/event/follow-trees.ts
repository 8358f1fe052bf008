import type { DocketEvent } from "../schema/index.ts"
import type { Change, FeedChange, FeedStore } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"
import type { Peers, RowNews } from "./peers.ts"
import { reportEvents } from "./report-events.ts"

/** Rows in one read. */
const readSize = 500

/** Publishes what other runtimes store in trees that are read or worked in here. */
export interface Follower {
  /** Follows the tree from the moment when this resolves until the returned function is called. */
  follow(rootID: string): Promise<() => void>
  /**
   * Publishes changes of all other trees, too, until the returned function is called: those that lists show, or every
   * one (`whole`). Where news were lost, `Bus.doubt` says so.
   */
  followLists(whole: boolean): () => void
  /** Called with changes of other runtimes, also when a change of this runtime followed in the same row. */
  onForeign(listener: (event: DocketEvent) => void): void
  /** Call with each change of this runtime, before its event is published. */
  stored(change: Change): void
  close(): void
}

/** For a store with one runtime, which makes every change itself. */
export const noFollower: Follower = {
  follow: async () => () => {},
  followLists: () => () => {},
  onForeign: () => {},
  stored: () => {},
  close: () => {},
}

export interface FollowerDeps {
  store: FeedStore
  bus: Bus
  /** How often rows are read (ms). */
  pollMs: number
  /** What other runtimes say of their changes; without it, rows are only read from time to time. */
  peers?: Peers | undefined
  onError(error: unknown): void
}

interface Tree {
  rootID: string
  followers: number
  /** Changes up to this number have been read. */
  cursor: number
  /** The newest known number, and the numbers after the cursor that this runtime wrote. */
  newest: number
  own: Set<number>
  /** Whether there are unread changes of other runtimes before `newest`. */
  isBehind: boolean
  /** Numbers of `own` whose rows may also hold a change that another runtime made just before. */
  mixed: Set<number>
  /** Resolves when the cursor has reached the newest change at the time of the first `follow`. */
  placed: Promise<void>
  isPlaced: boolean
  reading: Promise<void> | null
  readsAgain: Promise<void> | null
}

export function createFollower(deps: FollowerDeps): Follower {
  const trees = new Map<string, Tree>()
  const listeners: ((event: DocketEvent) => void)[] = []
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const schedule = () => {
    if (!closed && trees.size > 0) timer ??= setTimeout(poll, deps.pollMs).unref()
  }
  /** One read of a tree at a time; what is asked for meanwhile is read after it. */
  const read = (tree: Tree): Promise<void> => {
    if (!tree.isPlaced) return tree.placed.then(() => read(tree))
    const before = tree.reading
    if (before !== null) tree.readsAgain ??= before.then(() => read(tree))
    if (tree.readsAgain !== null) return tree.readsAgain
    tree.reading = readTree(deps, tree, listeners)
      .catch(deps.onError)
      .finally(() => {
        tree.reading = null
        tree.readsAgain = null
      })
    return tree.reading
  }
  const readAll = async () => {
    const all = [...trees.values()].filter(({ isPlaced }) => isPlaced)
    if (all.length === 0) return
    const heads = await deps.store.heads(all.map(({ rootID }) => rootID))
    for (const tree of all) if ((heads.get(tree.rootID) ?? 0) > tree.cursor) await read(tree)
  }
  const poll = async () => {
    await readAll().catch(deps.onError)
    timer = null
    schedule()
  }
  const lists = { some: 0, whole: 0 }
  /** Reads what was told of a tree that is not followed here, in the order in which it was told. */
  let reading: Promise<void> = Promise.resolve()
  const readTold = (news: RowNews) => {
    if (lists.whole === 0 && (lists.some === 0 || !news.lists)) return
    reading = reading.then(() => publishTold(deps, news)).catch(deps.onError)
  }
  const unlisten = deps.peers?.listen((news) => {
    if (closed) return
    if (news === null) {
      deps.bus.doubt(null)
      readAll().catch(deps.onError)
    }
    if (news?.kind !== "rows") return
    const tree = trees.get(news.rootID)
    if (tree === undefined) readTold(news)
    else read(tree).catch(deps.onError)
  })
  return {
    async follow(rootID) {
      const tree = trees.get(rootID) ?? newTree(deps, rootID)
      trees.set(rootID, tree)
      tree.followers += 1
      let left = false
      const leave = () => {
        if (left) return
        left = true
        tree.followers -= 1
        if (tree.followers === 0 && trees.get(rootID) === tree) trees.delete(rootID)
      }
      try {
        await tree.placed
      } catch (error) {
        leave()
        throw error
      }
      schedule()
      return leave
    },
    followLists(whole) {
      const kind = whole ? "whole" : "some"
      lists[kind] += 1
      return () => {
        lists[kind] -= 1
      }
    },
    onForeign: (listener) => void listeners.push(listener),
    stored(change) {
      const { rootID, seq, kind } = change
      // Who reads the text elsewhere has it from the relay.
      const isQuiet = kind === "part" && change.quiet
      if (!isQuiet) deps.peers?.tell({ kind: "rows", rootID, since: seq - 1, to: seq, lists: !outsideLists.has(kind) })
      const tree = trees.get(rootID)
      if (tree === undefined) return
      // Another runtime stored something in between: its rows come before this change.
      if (seq > tree.newest + 1) {
        deps.bus.doubt(rootID)
        tree.isBehind = true
      }
      tree.newest = Math.max(tree.newest, seq)
      tree.own.add(seq)
      if (tree.isBehind) tree.mixed.add(seq)
    },
    close() {
      closed = true
      unlisten?.()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

const noReads = { reading: null, readsAgain: null }

function newTree({ store }: Pick<FollowerDeps, "store">, rootID: string): Tree {
  const known = { cursor: 0, newest: 0, own: new Set<number>(), isBehind: false, mixed: new Set<number>() }
  const tree: Tree = { rootID, followers: 0, ...known, placed: Promise.resolve(), isPlaced: false, ...noReads }
  tree.placed = store.head(rootID).then((head) => {
    tree.cursor = head ?? 0
    tree.newest = Math.max(tree.newest, tree.cursor)
    tree.isPlaced = true
  })
  return tree
}

/** Changes of transcripts, which lists do not show. */
const outsideLists = new Set<Change["kind"]>(["message", "message.removed", "part", "part.removed", "turn"])

/** Publishes the changes of other runtimes that the news name. */
async function publishTold({ store, bus }: FollowerDeps, { rootID, since, to }: RowNews): Promise<void> {
  for (let cursor = since; cursor < to; ) {
    const changes = await store.changesSince(rootID, cursor, readSize)
    for (const change of changes.filter(({ seq }) => seq <= to)) publishForeign(bus, change)
    const last = changes.at(-1)
    if (last === undefined || changes.length < readSize) return
    cursor = last.seq
  }
}

function publishForeign(bus: Bus, change: FeedChange): DocketEvent | null {
  const event = changeEvent(change)
  if (event !== null) for (const one of [event, ...statusEvents(change), ...reportEvents(change)]) bus.publish(one)
  return event
}

/** Here nobody else tells what a session does that runs elsewhere. */
function statusEvents(change: FeedChange): DocketEvent[] {
  if (change.kind !== "session") return []
  const { id: sessionID, rootID, status } = change.value
  return [{ type: "session.status", rootID, seq: null, properties: { sessionID, status } }]
}

async function readTree(deps: FollowerDeps, tree: Tree, listeners: ((event: DocketEvent) => void)[]): Promise<void> {
  while (true) {
    const changes = await deps.store.changesSince(tree.rootID, tree.cursor, readSize)
    for (const change of changes) {
      tree.cursor = change.seq
      tree.newest = Math.max(tree.newest, change.seq)
      const isOwn = tree.own.has(change.seq)
      if (isOwn && !tree.mixed.has(change.seq)) continue
      const event = isOwn ? changeEvent(change) : publishForeign(deps.bus, change)
      if (event !== null) for (const listener of listeners) listener(event)
    }
    for (const seqs of [tree.own, tree.mixed]) for (const seq of seqs) if (seq <= tree.cursor) seqs.delete(seq)
    if (tree.cursor >= tree.newest) tree.isBehind = false
    if (changes.length < readSize) return
  }
}
