import type { DocketEvent } from "../schema/index.ts"
import type { Change, FeedStore } from "../store/index.ts"
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

export interface FollowerDeps {
  store: FeedStore
  bus: Bus
  /** How often rows are read (ms). */
  pollMs: number
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
}

export function createFollower(deps: FollowerDeps): Follower {
  const trees = new Map<string, Tree>()
  const listeners: ((event: DocketEvent) => void)[] = []
  let timer: NodeJS.Timeout | null = null
  let closed = false
  const schedule = () => {
    if (!closed && trees.size > 0) timer ??= setTimeout(poll, deps.pollMs).unref()
  }
  const poll = async () => {
    for (const tree of trees.values()) if (tree.isPlaced) await readTree(deps, tree, listeners).catch(deps.onError)
    timer = null
    schedule()
  }
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
      if (timer !== null) clearTimeout(timer)
    },
  }
}

function newTree({ store }: Pick<FollowerDeps, "store">, rootID: string): Tree {
  const known = { cursor: 0, newest: 0, own: new Set<number>(), isBehind: false, mixed: new Set<number>() }
  const tree: Tree = { rootID, followers: 0, ...known, placed: Promise.resolve(), isPlaced: false }
  tree.placed = store.head(rootID).then((head) => {
    tree.cursor = head ?? 0
    tree.newest = Math.max(tree.newest, tree.cursor)
    tree.isPlaced = true
  })
  return tree
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
      if (!isOwn) for (const one of [event, ...reportEvents(change)]) deps.bus.publish(one)
      for (const listener of listeners) listener(event)
    }
    for (const seqs of [tree.own, tree.mixed]) for (const seq of seqs) if (seq <= tree.cursor) seqs.delete(seq)
    if (tree.cursor >= tree.newest) tree.isBehind = false
    if (changes.length < readSize) return
  }
}
