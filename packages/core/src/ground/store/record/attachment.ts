import { DocketError } from "../../error/docket-error.ts"
import { Attachment } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import { firstOf, type Records } from "./records-port.ts"

export const attachmentRecord = defineRecord({
  name: "Attachment",
  words: ["attachment", "attachments"],
  schema: Attachment,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    hash: "word",
    mime: "text",
    name: "text",
    size: "number",
    created: "number",
  },
  values: ({ time }) => ({ created: time.created }),
  orphan: ({ sessionID }) =>
    new DocketError("session_not_found", `there is no session ${sessionID} to keep a file for`),
})

export interface AttachmentStore {
  /** @throws session_not_found */
  put(rows: readonly Attachment[]): Promise<void>
  /** A row of the tree for a content; null when the tree does not have it. */
  find(rootID: string, hash: string): Promise<Attachment | null>
  /** Those of a tree, or of all trees. */
  list(rootID?: string): Promise<Attachment[]>
  /** Those of these sessions. */
  ofSessions(sessionIDs: readonly string[]): Promise<Attachment[]>
  isNamed(hash: string): Promise<boolean>
}

export function attachmentStore(records: Records): AttachmentStore {
  return {
    put: (rows) => records.put(attachmentRecord, rows),
    find: (rootID, hash) => firstOf(records.find(attachmentRecord, { where: { rootID, hash }, order: [], limit: 1 })),
    list: (rootID) => records.find(attachmentRecord, { where: { rootID }, order: ["created", "id"] }),
    ofSessions: (sessionIDs) =>
      records.find(attachmentRecord, { where: { sessionID: { in: sessionIDs } }, order: ["created", "id"] }),
    isNamed: async (hash) =>
      (await firstOf(records.find(attachmentRecord, { where: { hash }, order: [], limit: 1 }))) !== null,
  }
}
