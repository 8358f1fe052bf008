import { DocketError } from "../../error/docket-error.ts"
import { Bookmark } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import type { Records } from "./records-port.ts"

export const bookmarkRecord = defineRecord({
  name: "Bookmark",
  words: ["bookmark", "bookmarks"],
  schema: Bookmark,
  owner: "session",
  columns: { sessionID: "word", person: "person", created: "number" },
  values: ({ by, time }) => ({ person: by.person, created: time.created }),
  orphan: ({ sessionID }) => new DocketError("session_not_found", `there is no session ${sessionID} to mark`),
})

interface BookmarkStore {
  put(bookmark: Bookmark): Promise<void>
  /** The person's own, oldest first. */
  list(sessionID: string, person: string): Promise<Bookmark[]>
}

export function bookmarkStore(records: Records): BookmarkStore {
  return {
    put: (bookmark) => records.put(bookmarkRecord, [bookmark]),
    list: (sessionID, person) =>
      records.find(bookmarkRecord, { where: { sessionID, person }, order: ["created", "id"] }),
  }
}
