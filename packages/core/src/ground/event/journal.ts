import type { Change, Fence, Mutation, Store, TreeBatch } from "../store/index.ts"
import type { Bus } from "./bus.ts"
import { changeEvent } from "./change-event.ts"
import { isRefusal } from "./final-writes.ts"
import { mergeMutations } from "./merge-mutations.ts"
import { reportEvents } from "./report-events.ts"

/** For a commit whose rows a repeated request with the same key may create, too. */
export interface Fresh {
  /** The id of the session or turn that it creates. */
  fresh: string
  /** Every row of the commit has to be new. */
  onlyNew?: true
}

/**
 * The write path. Mutations that arrive during a transaction go into the next one together (group commit). After the
 * commit, changes are published in sequence order.
 */
export interface Journal {
  /**
   * Resolves with all changes of this tree in the transaction of these mutations. Commits keep their order, so waiting
   * for the last of several waits for all.
   * @throws StaleTurnError when the turn was taken over, AlreadyMadeError when a row that was to be new exists. Nothing
   *   of the batch is stored then.
   */
  commit(rootID: string, mutations: Mutation[], guard?: Fence | readonly Fence[] | Fresh): Promise<Change[]>
  /** Publishes a change that the store made itself, such as a claim. */
  publish(change: Change): void
  /** Resolves when all mutations queued before this call are committed or have failed. */
  flush(): Promise<void>
}

export interface JournalDeps {
  store: Pick<Store, "write">
  bus: Bus
  /** Called with every stored change before it is published. */
  onStored?(change: Change): void
}

interface Entry {
  batch: TreeBatch
  resolve(changes: Change[]): void
  reject(error: unknown): void
}

/** The most mutations in one transaction, unless one entry has more: about 5 ms for SQLite. */
const maxBatch = 150

export function createJournal(deps: JournalDeps): Journal {
  const waiting: Entry[] = []
  let draining: Promise<void> | null = null

  const publish = (change: Change) => {
    deps.onStored?.(change)
    const event = changeEvent(change)
    if (event !== null) deps.bus.publish(event)
    for (const report of reportEvents(change)) deps.bus.publish(report)
  }

  const drain = async () => {
    // Wait for one turn of the event loop, so that writes made together are committed together.
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
    commit: (rootID, mutations, guard) =>
      add({ rootID, mutations, ...(guard !== undefined && ("fresh" in guard ? guard : { fence: guard })) }),
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
  const fences = [batch.fence ?? []].flat().map(({ turnID, epoch }) => `${turnID}/${epoch}`)
  return [batch.rootID, ...fences].join("/")
}

/**
 * Commits all entries in one transaction. If that fails, commits them by writer, so that only the faulty one fails: the
 * entries of a turn together, every other entry by itself.
 */
async function commitEntries(deps: JournalDeps, entries: Entry[], publish: (change: Change) => void): Promise<void> {
  const groups = grouped(entries)
  try {
    settle(groups, await deps.store.write.commit(groups.map((group) => group.batch)), publish)
    return
  } catch (error) {
    const isOneWriter = entries.length === 1 || (groups.length === 1 && entries[0]?.batch.fence !== undefined)
    if (isOneWriter) {
      // The connection may have broken after the commit.
      if (!isRefusal(error)) for (const { batch } of groups) deps.bus.doubt(batch.rootID)
      for (const entry of entries) entry.reject(error)
      return
    }
  }
  const pieces = groups.length > 1 ? groups.map((group) => group.entries) : entries.map((entry) => [entry])
  for (const piece of pieces) await commitEntries(deps, piece, publish)
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
