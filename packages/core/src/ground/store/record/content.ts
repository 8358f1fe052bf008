import { DocketError } from "../../error/docket-error.ts"
import { Content, type ContentKind } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import { firstOf, type Records } from "./records-port.ts"

export const contentRecord = defineRecord({
  name: "Content",
  words: ["stored content", "stored contents"],
  schema: Content,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    kind: "word",
    name: "text",
    hash: "word",
    size: "number",
    isStored: "boolean",
    created: "number",
  },
  values: ({ time }) => ({ created: time.created }),
  orphan: ({ sessionID }) =>
    new DocketError("session_not_found", `there is no session ${sessionID} to store a content for`),
})

export interface ContentStore {
  /** @throws session_not_found */
  put(rows: readonly Content[]): Promise<void>
  /** Says that the content is stored, unless the row names another one by now. */
  stored(row: Content): Promise<void>
  /** Of any session of the tree; one that is stored, where there is one. */
  find(rootID: string, kind: ContentKind, name: string): Promise<Content | null>
  /** Of any tree; one that is stored. */
  anywhere(kind: ContentKind, name: string): Promise<Content | null>
  /** Those of a tree, or of all trees; the oldest first. */
  list(where?: { rootID?: string; kind?: ContentKind }): Promise<Content[]>
  /** Of these hashes, those that a row names. */
  named(hashes: readonly string[]): Promise<Set<string>>
  /** Removes rows of a kind that were made before a time (epoch ms). */
  removeBefore(kind: ContentKind, time: number): Promise<void>
}

export function contentStore(records: Records): ContentStore {
  return {
    put: (rows) => records.put(contentRecord, rows),
    async stored({ id, hash }) {
      await records.change(contentRecord, id, (row) => (row.hash === hash ? { ...row, isStored: true } : null))
    },
    find: (rootID, kind, name) =>
      firstOf(
        records.find(contentRecord, { where: { rootID, kind, name }, order: ["-isStored", "-created"], limit: 1 }),
      ),
    anywhere: (kind, name) =>
      firstOf(records.find(contentRecord, { where: { kind, name, isStored: true }, order: ["-created"], limit: 1 })),
    list: (where = {}) => records.find(contentRecord, { where, order: ["created", "id"] }),
    async named(hashes) {
      const rows = await records.find(contentRecord, { where: { hash: { in: hashes } }, order: [] })
      return new Set(rows.map(({ hash }) => hash))
    },
    async removeBefore(kind, time) {
      await records.remove(contentRecord, { kind, created: { lt: time } })
    },
  }
}
