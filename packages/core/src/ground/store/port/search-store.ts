import type { SearchAsk, SearchKind } from "../../query/index.ts"

/** What a search found: the title of a session, or a part of a transcript. */
export interface SearchPlace {
  /** Of the part, or of the session whose title it is. */
  id: string
  kind: SearchKind
  /** When it came (epoch ms). */
  at: number
  rootID: string
  sessionID: string
  /** Null for a title. */
  messageID: string | null
}

/** How far the index of a store is: both count changes of trees. */
export interface SearchProgress {
  indexed: number
  all: number
}

/** Looks for what is said, done and named anywhere. Archived trees and what is undone or removed are not found. */
export interface SearchStore {
  /**
   * What fits, newest first; at least one where there is any behind `cursor`, unless `next` says where to look on.
   * @throws DocketError invalid_input when `cursor` is not a `next` of an earlier page
   */
  find(query: {
    ask: SearchAsk
    limit: number
    cursor?: string | undefined
  }): Promise<{ found: SearchPlace[]; next: string | null }>
  /**
   * Takes up to `limit` changed parts of one tree into the index, fewer of long ones. False when nothing was left to take; a text or call
   * that still grows is taken once it has ended or when its tree changes again.
   */
  index(limit: number): Promise<boolean>
  progress(): Promise<SearchProgress>
}
