import { DocketError } from "../../error/docket-error.ts"
import { Memory } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"

export const memoryRecord = defineRecord({
  name: "Memory",
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
  orphan: ({ sessionID }) =>
    new DocketError("session_not_found", `there is no session ${sessionID} to pin a memory to`),
})
