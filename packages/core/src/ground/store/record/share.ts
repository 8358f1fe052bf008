import { UnknownTreeError } from "../../error/docket-error.ts"
import { Share } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"

export const shareRecord = defineRecord({
  name: "Share",
  schema: Share,
  owner: "tree",
  columns: { rootID: "word", secretHash: "word", created: "number", revoked: "number?" },
  values: ({ time }) => ({ created: time.created, revoked: time.revoked }),
  unique: [["secretHash"]],
  orphan: ({ rootID }) => new UnknownTreeError(rootID),
})
