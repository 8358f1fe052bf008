import { UnknownTreeError } from "../../error/docket-error.ts"
import { Share } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import { firstOf, type Records } from "./records-port.ts"

export const shareRecord = defineRecord({
  name: "Share",
  words: ["share", "shares"],
  schema: Share,
  owner: "tree",
  columns: { rootID: "word", secretHash: "word", created: "number", revoked: "number?" },
  values: ({ time }) => ({ created: time.created, revoked: time.revoked }),
  unique: [["secretHash"]],
  orphan: ({ rootID }) => new UnknownTreeError(rootID),
})

export interface ShareStore {
  /** @throws UnknownTreeError */
  put(share: Share): Promise<void>
  get(id: string): Promise<Share | null>
  byHash(secretHash: string): Promise<Share | null>
  /** Shares of the tree, or of all, newest first, revoked ones included. */
  list(rootID?: string): Promise<Share[]>
}

export function shareStore(records: Records): ShareStore {
  return {
    put: (share) => records.put(shareRecord, [share]),
    get: (id) => records.get(shareRecord, id),
    byHash: (secretHash) => firstOf(records.find(shareRecord, { where: { secretHash }, order: [], limit: 1 })),
    list: (rootID) => records.find(shareRecord, { where: { rootID }, order: ["-created", "-id"] }),
  }
}
