import { DocketError } from "../../error/docket-error.ts"
import { Memory } from "../../schema/index.ts"
import type { MemoryStore } from "../port/table-stores.ts"
import { defineRecord } from "./define-record.ts"
import { firstOf, type Records } from "./records-port.ts"

export const memoryRecord = defineRecord({
  name: "Memory",
  words: ["memory entry", "memory entries"],
  schema: Memory,
  owner: "session",
  columns: {
    number: "integer",
    projectID: "word?",
    sessionID: "word?",
    type: "word",
    title: "text",
    invalidated: "boolean",
    created: "number",
  },
  values: ({ invalidatedAt, time }) => ({ invalidated: invalidatedAt !== null, created: time.created }),
  numbered: "memory",
  orphan: ({ sessionID }) =>
    new DocketError("session_not_found", `there is no session ${sessionID} to pin a memory to`),
})

/** All of the port except `put` and `list`, which know of tags. */
export function memoryRows(records: Records): Omit<MemoryStore, "put" | "list"> {
  return {
    get: (id) => records.get(memoryRecord, id),
    byNumber: (number) => firstOf(records.find(memoryRecord, { where: { number }, order: [], limit: 1 })),
    async remove(id) {
      await records.remove(memoryRecord, { id })
    },
    reserveNumber: () => records.reserve(memoryRecord, 1),
  }
}
