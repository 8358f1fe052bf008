import type { SearchKind, SearchState } from "../../ground/query/index.ts"
import type { Session } from "../../ground/schema/index.ts"
import type { Excerpt } from "./excerpt.ts"

/** What a search finds: the title of a session, or a part of its transcript. */
export interface SearchHit {
  kind: SearchKind
  /** When it came (epoch ms). */
  at: number
  session: Pick<Session, "id" | "rootID" | "parentID" | "projectID" | "title" | "agent" | "time" | "visibility">
  /** The session at the top of its tree. */
  root: SearchHit["session"]
  /** Null for a title. `tool` and `state` are of a call. */
  part: { id: string; messageID: string; tool: string | null; state: SearchState | null } | null
  /** Of the title, or of the part's text, around what was looked for. */
  excerpt: Excerpt
}

/** What one has to know of a query, whatever it finds. */
export interface SearchAnswer {
  /** What of the query does not count, in words for people. */
  problems: string[]
  /** The share of all that is in the index, from 0 to 1: under 1, older things may be missing. */
  indexed: number
}

export interface SearchPage extends SearchAnswer {
  hits: SearchHit[]
  /** Where the next page begins; null at the end. */
  next: string | null
}

/** A row of a transcript that was found. */
export interface FoundRow {
  sessionID: string
  messageID: string
  partID: string
}

export interface FoundRows extends SearchAnswer {
  /** In the order of the tree: the root session first, then its children as they were made. */
  rows: FoundRow[]
  /** There are more, older ones. */
  isMore: boolean
}

/** How a query is read: see `parseSearch`. */
interface Query {
  text: string
  /** How far the clock of whoever asks is ahead of UTC (minutes); 0 when left out. */
  utcOffset?: number | undefined
  /** The last word may be the beginning of one. */
  isTyping?: boolean | undefined
}

export interface SearchService {
  /** What fits in all sessions, newest first. @throws invalid_input for a cursor that no search gave */
  find(query: Query & { limit?: number | undefined; cursor?: string | undefined }): Promise<SearchPage>
  /** Every row that fits in the tree of a session, whichever member it is. @throws session_not_found */
  rows(sessionID: string, query: Query): Promise<FoundRows>
}
