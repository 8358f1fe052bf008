import type { Change } from "../port/index.ts"

/** The newest change of each row of a tree, in sequence order. */
export interface TreeLog {
  append(change: Change): void
  since(seq: number, limit: number): Change[]
  clear(): void
}

/** @param alive says whether the row of a change still exists; changes of rows that are gone are left out. */
export function createTreeLog(alive: (change: Change) => boolean): TreeLog {
  const latest = new Map<string, Change>()
  let entries: Change[] = []
  const current = (change: Change) => latest.get(rowKey(change)) === change && alive(change)

  const compact = () => {
    entries = entries.filter(current)
    latest.clear()
    for (const change of entries) latest.set(rowKey(change), change)
  }
  return {
    append(change) {
      latest.set(rowKey(change), change)
      entries.push(change)
      if (entries.length > 2 * latest.size + 64) compact()
    },
    since(seq, limit) {
      const found: Change[] = []
      for (let i = firstAfter(entries, seq); i < entries.length && found.length < limit; i++) {
        const change = entries[i]
        if (change && current(change)) found.push(change)
      }
      return found
    },
    clear() {
      entries = []
      latest.clear()
    },
  }
}

function rowKey(change: Change): string {
  switch (change.kind) {
    case "todos":
    case "session.removed":
      return `${change.kind}:${change.sessionID}`
    case "message.removed":
      return `${change.kind}:${change.messageID}`
    case "part.removed":
      return `${change.kind}:${change.partID}`
    default:
      return `${change.kind}:${change.value.id}`
  }
}

function firstAfter(entries: readonly Change[], seq: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
