import { DocketError } from "../../error/docket-error.ts"
import type { Memory } from "../../schema/index.ts"
import type { MemoryStore } from "../port/index.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { ownedRows, reserveNumbers, type Tables } from "./tables.ts"

/** The store of memory entries, in memory. */
export function inMemoryMemories(tables: Tables): MemoryStore {
  const memories = ownedRows<Memory>(tables)
  return {
    async put(memory) {
      if (memory.sessionID !== null && !tables.sessions.has(memory.sessionID)) {
        throw new DocketError("session_not_found", `there is no session ${memory.sessionID} to pin a memory to`)
      }
      memories.set(memory.id, frozenCopy(memory))
    },
    get: async (id) => memories.get(id) ?? null,
    byNumber: async (number) => [...memories.values()].find((memory) => memory.number === number) ?? null,
    async remove(id) {
      memories.delete(id)
    },
    list: async ({ projectID, sessionID, types, tag, all, limit }) =>
      [...memories.values()]
        .filter((memory) => isVisible(memory, projectID, sessionID))
        .filter((memory) => all === true || memory.invalidatedAt === null)
        .filter((memory) => types?.includes(memory.type) ?? true)
        .filter((memory) => tag === undefined || memory.tags.includes(tag))
        .sort((a, b) => b.time.created - a.time.created || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
    reserveNumber: async () => reserveNumbers(tables, "memory", 1),
  }
}

function isVisible(memory: Memory, projectID: string | undefined, sessionID: string | undefined): boolean {
  if (memory.sessionID === null && memory.projectID === null) return true
  if (memory.sessionID !== null && sessionID !== undefined) return memory.sessionID === sessionID
  if (projectID !== undefined) return memory.projectID === projectID
  return sessionID === undefined
}
