import type { Todo } from "@docket/core/schema"
import type { Change } from "@docket/core/store"

/** A session's todo list after the change with this sequence number. */
export interface KnownList {
  seq: number
  list: Todo[]
}

/**
 * Cached todo lists, so that a change of one item does not read all others. Callers compare the cached number with the
 * session's `todoSeq`. Each number is used once, so an equal number means an equal list, whichever process wrote last.
 */
export interface KnownLists {
  get(tenantID: string, sessionID: string): KnownList | null
  /** Caches a list that was read. It is frozen because readers share it. */
  keep(tenantID: string, sessionID: string, known: KnownList): void
  /** Caches the lists of a transaction. Call it after the commit, because the numbers of a rollback are used again. */
  committed(tenantID: string, changes: Change[]): void
  /** Drops the lists of a removed tenant, because its numbers may be used again. */
  forget(tenantID: string): void
}

/** Maximum number of items in all cached lists, about 1 KB each. */
const maxItems = 20_000

export function createKnownLists(): KnownLists {
  // In order of use, the latest last.
  const lists = new Map<string, KnownList>()
  let items = 0
  const keyOf = (tenantID: string, sessionID: string) => `${tenantID} ${sessionID}`
  const drop = (key: string) => {
    items -= lists.get(key)?.list.length ?? 0
    lists.delete(key)
  }
  const keep = (tenantID: string, sessionID: string, known: KnownList) => {
    const key = keyOf(tenantID, sessionID)
    if ((lists.get(key)?.seq ?? 0) > known.seq) return
    drop(key)
    if (known.list.length === 0 || known.list.length > maxItems) return
    Object.freeze(known.list)
    lists.set(key, known)
    items += known.list.length
    for (const oldest of lists.keys()) {
      if (items <= maxItems) break
      drop(oldest)
    }
  }
  return {
    get(tenantID, sessionID) {
      const key = keyOf(tenantID, sessionID)
      const known = lists.get(key)
      if (known === undefined) return null
      lists.delete(key)
      lists.set(key, known)
      return known
    },
    keep,
    committed(tenantID, changes) {
      for (const change of changes)
        if (change.kind === "todos") keep(tenantID, change.sessionID, { seq: change.seq, list: change.value })
    },
    forget(tenantID) {
      for (const key of [...lists.keys()]) if (key.startsWith(`${tenantID} `)) drop(key)
    },
  }
}
