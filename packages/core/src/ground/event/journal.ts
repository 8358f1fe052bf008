import type { Change, Mutation, Store, TreeBatch } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"
import { isRefusal } from "./final-writes.ts"
import { mergeMutations } from "./merge-mutations.ts"

export interface Fence {
  turnID: string
  epoch: number
}

/** What a commit makes, when a request of the same key elsewhere may make it too. */
export interface Fresh {
  fresh: string
  /** Everything in it is new. */
  onlyNew?: true
}

/**
 * The write path. Mutations that wait while a transaction runs go into the next one together (group
 * commit); after the commit each change is published in sequence order.
 */
export interface Journal {
  /**
   * Resolves with the changes that this tree saw in the transaction that holds these mutations. Commits
   * keep their order, so waiting for the last of several waits for all.
   * @throws StaleTurnError when the turn was taken over, AlreadyMadeError when there is what was to be fresh; nothing of
   *   the batch is stored then.
   */
  commit(rootID: string, mutations: Mutation[], only?: Fence | Fresh): Promise<Change[]>
  /** Publishes a change that the store made by itself (a claim). */
  publish(change: Change): void
  /** Resolves when everything that was queued before is committed or failed. */
  flush(): Promise<void>
}

export interface JournalDeps {
  store: Pick<Store, "write">
  bus: Bus
  /** Hears of every change that was stored through here, before it is told. */
  onStored?(change: Change): void
}

interface Entry {
  batch: TreeBatch
  resolve(changes: Change[]): void
  reject(error: unknown): void
}

/** Mutations that one transaction takes, or those of one entry: SQLite needs about 5 ms for so many. */
const maxBatch = 150

export function createJournal(deps: JournalDeps): Journal {
  const waiting: Entry[] = []
  let draining: Promise<void> | null = null

  const publish = (change: Change) => {
    deps.onStored?.(change)
    const event = changeEvent(change)
    if (event !== null) deps.bus.publish(event)
  }

  const drain = async () => {
    // One turn of the event loop, so that what is written together commits together.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      await commitEntries(deps, waiting.splice(0, batchSize(waiting)), publish)
    }
    draining = null
  }

  const add = (batch: TreeBatch): Promise<Change[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ batch, resolve, reject })
      draining ??= drain()
    })

  return {
    commit: (rootID, mutations, only) =>
      add({ rootID, mutations, ...(only !== undefined && ("fresh" in only ? only : { fence: only })) }),
    publish,
    async flush() {
      while (draining !== null) await draining
    },
  }
}

/** How many of the first entries fit into one transaction; at least one. */
function batchSize(entries: Entry[]): number {
  let mutations = 0
  for (const [index, entry] of entries.entries()) {
    mutations += entry.batch.mutations.length
    if (mutations > maxBatch) return Math.max(1, index)
  }
  return entries.length
}

function batchKey(batch: TreeBatch): string {
  if (batch.fresh !== undefined) return `${batch.rootID}/${batch.fresh}`
  return batch.fence ? `${batch.rootID}/${batch.fence.turnID}/${batch.fence.epoch}` : batch.rootID
}

/**
 * Commits all entries at once. When that fails, each writer's share alone, so that only the guilty one fails: what a
 * turn writes stands or falls together, everything else by itself.
 */
async function commitEntries(deps: JournalDeps, entries: Entry[], publish: (change: Change) => void): Promise<void> {
  const groups = grouped(entries)
  try {
    settle(groups, await deps.store.write.commit(groups.map((group) => group.batch)), publish)
    return
  } catch (error) {
    const isOne = entries.length === 1 || (groups.length === 1 && entries[0]?.batch.fence !== undefined)
    if (isOne) {
      // The connection may have broken after the commit.
      if (!isRefusal(error)) for (const { batch } of groups) deps.bus.doubt(batch.rootID)
      for (const entry of entries) entry.reject(error)
      return
    }
  }
  const shares = groups.length > 1 ? groups.map((group) => group.entries) : entries.map((entry) => [entry])
  for (const share of shares) await commitEntries(deps, share, publish)
}

interface Group {
  batch: TreeBatch
  entries: Entry[]
}

function grouped(entries: Entry[]): Group[] {
  const groups = new Map<string, Group>()
  for (const entry of entries) {
    const key = batchKey(entry.batch)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { batch: { ...entry.batch }, entries: [entry] })
    else {
      group.entries.push(entry)
      group.batch.mutations = [...group.batch.mutations, ...entry.batch.mutations]
    }
  }
  for (const group of groups.values()) group.batch.mutations = mergeMutations(group.batch.mutations)
  return [...groups.values()]
}

function settle(groups: Group[], changes: Change[], publish: (change: Change) => void): void {
  for (const change of changes) publish(change)
  const byTree = Map.groupBy(changes, (change) => change.rootID)
  for (const group of groups) {
    const own = byTree.get(group.batch.rootID) ?? []
    for (const entry of group.entries) entry.resolve(own)
  }
}
