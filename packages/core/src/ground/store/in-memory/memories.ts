import type { Memory } from "../../schema/index.ts"
import type { MemoryStore, Records } from "../port/index.ts"
import { memoryRecord, memoryRows } from "../record/memory.ts"
import { rowsOf, type Tables } from "./tables.ts"

/** The store of memory entries, in memory. */
export function inMemoryMemories(tables: Tables, records: Records): MemoryStore {
  return {
    ...memoryRows(records),
    put: (memory) => records.put(memoryRecord, [memory]),
    list: async ({ projectID, sessionID, types, tag, all, limit }) =>
      [...rowsOf(tables, memoryRecord).values()]
        .filter((memory) => isVisible(memory, projectID, sessionID))
        .filter((memory) => all === true || memory.invalidatedAt === null)
        .filter((memory) => types?.includes(memory.type) ?? true)
        .filter((memory) => tag === undefined || memory.tags.includes(tag))
        .sort((a, b) => b.time.created - a.time.created || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
  }
}

function isVisible(memory: Memory, projectID: string | undefined, sessionID: string | undefined): boolean {
  if (memory.sessionID === null && memory.projectID === null) return true
  if (memory.sessionID !== null && sessionID !== undefined) return memory.sessionID === sessionID
  if (projectID !== undefined) return memory.projectID === projectID
  return sessionID === undefined
}
