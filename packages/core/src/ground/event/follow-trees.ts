import type { DocketEvent } from "../schema/index.ts"
import type { Change, FeedChange, FeedStore } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"
import { reportEvents } from "./report-events.ts"

/** Rows in one read. */
const readSize = 500

/** Publishes what other runtimes store in trees that are read or worked in here. */
export interface Follower {
  /** Follows the tree from the moment when this resolves until the returned function is called. */
  follow(rootID: string): Promise<() => void>
  /** Called with changes of other runtimes, also when a change of this runtime followed in the same row. */
  onForeign(listener: (event: DocketEvent) => void): void
  /** Call with each change of this runtime, before its event is published. */
  stored(change: Change): void
  close(): void
}

/** For a store with one runtime, which makes every change itself. */
export const noFollower: Follower = {
  follow: async () => () => {},
  onForeign: () => {},
  stored: () => {},
  close: () => {},
}

/** Tells other runtimes in which trees rows have changed, and hears it from them. Some news are lost. */
export interface TreeNews {
  tell(rootID: string): void
  /** Calls the listener with a tree that changed, or null when news may have been lost. */
  listen(listener: (rootID: string | null) => void): () => void
}

export interface FollowerDeps {
  store: FeedStore
  bus: Bus
  /** How often rows are read (ms). */
  pollMs: number
  /** What other runtimes say of their changes; without it, rows are only read from time to time. */
  news?: TreeNews | undefined
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
    for (const tree of trees.values()) if (tree.isPlaced) await read(tree)
  }
  const poll = async () => {
    await readAll()
    timer = null
    schedule()
  }
  const unlisten = deps.news?.listen((rootID) => {
    if (closed) return
    if (rootID === null) return void readAll()
    const tree = trees.get(rootID)
    if (tree !== undefined) read(tree).catch(deps.onError)
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
    onForeign: (listener) => void listeners.push(listener),
    stored({ rootID, seq }) {
      deps.news?.tell(rootID)
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
      const event = isOwn && !tree.mixed.has(change.seq) ? null : changeEvent(change)
      if (event === null) continue
      if (!isOwn) for (const one of [event, ...statusEvents(change), ...reportEvents(change)]) deps.bus.publish(one)
      for (const listener of listeners) listener(event)
    }
    for (const seqs of [tree.own, tree.mixed]) for (const seq of seqs) if (seq <= tree.cursor) seqs.delete(seq)
    if (tree.cursor >= tree.newest) tree.isBehind = false
    if (changes.length < readSize) return
  }
}
