import type { ShareCopy, ShareCopyStore, ShareRow } from "../port/share-copy-store.ts"
import { shareRecord } from "../record/share.ts"
import { rowsOf, type Tables } from "./tables.ts"
import { pageBounds } from "./transcript.ts"

/** The copies of shares, in memory: each goes when its share is gone or revoked. */
export function inMemoryShareCopies(tables: Tables): ShareCopyStore {
  const shares = rowsOf(tables, shareRecord)
  const copies = new Map<string, { copy: ShareCopy; rows: Map<string, ShareRow> }>()
  const living = (shareID: string) => (shares.has(shareID) ? copies.get(shareID) : undefined)
  const shownRows = (shareID: string) =>
    [...(living(shareID)?.rows.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    async open(shareID) {
      const share = shares.get(shareID)
      if (share === undefined || share.time.revoked !== null) return null
      const found = copies.get(shareID)
      if (found !== undefined) return found.copy
      const copy = { cursor: 0, seq: 0, undone: {}, known: [], met: [], views: 0, viewed: null }
      copies.set(shareID, { copy, rows: new Map() })
      return copy
    },
    get: async (shareID) => living(shareID)?.copy ?? null,
    async publish(shareID, { from, to, undone, known, met, rows }) {
      const found = living(shareID)
      if (found === undefined || found.copy.cursor !== from) return null
      const numbered = rows.map((row, index) => ({ ...row, seq: found.copy.seq + index + 1 }))
      for (const row of numbered) found.rows.set(row.id, row)
      found.copy = { ...found.copy, cursor: to, seq: found.copy.seq + rows.length, undone, known, met }
      return numbered
    },
    rows: async (shareID, kinds) => shownRows(shareID).filter(({ kind }) => kinds.includes(kind)),
    async page(shareID, query) {
      const rows = shownRows(shareID).filter(({ sessionID }) => sessionID === query.sessionID)
      const all = rows.filter(({ kind }) => kind === "message")
      const parts = rows.filter(({ kind }) => kind === "part")
      const around = parts.find(({ id }) => id === query.around)?.messageID ?? query.around
      const ids = all.map(({ id }) => id)
      const [start, end] = pageBounds(ids, { ...query, around: around?.startsWith("msg_") ? around : undefined })
      const messages = all.slice(start, end)
      const shown = new Set(messages.map(({ id }) => id))
      return {
        messages,
        parts: parts.filter(({ messageID }) => messageID !== null && shown.has(messageID)),
        before: start > 0 ? (messages[0]?.id ?? null) : null,
        after: end < all.length ? (messages.at(-1)?.id ?? null) : null,
      }
    },
    async part(shareID, id) {
      const row = living(shareID)?.rows.get(id)
      return row?.kind === "part" ? row : null
    },
    changesSince: async (shareID, seq, limit) =>
      shownRows(shareID)
        .filter((row) => row.seq > seq)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit),
    async hidden(shareID) {
      const sums: Record<string, number> = {}
      for (const { hidden } of shownRows(shareID))
        for (const [label, count] of Object.entries(hidden)) sums[label] = (sums[label] ?? 0) + count
      return sums
    },
    async visit(shareID, now) {
      const found = living(shareID)
      if (found) found.copy = { ...found.copy, views: found.copy.views + 1, viewed: now }
    },
    async remove(shareID) {
      copies.delete(shareID)
    },
  }
}
