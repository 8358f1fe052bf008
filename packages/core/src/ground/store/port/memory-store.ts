import type { Memory, MemoryType } from "../../schema/index.ts"

export interface MemoryStore {
  /** @throws DocketError session_not_found when it is pinned to a session that does not exist */
  put(memory: Memory): Promise<void>
  get(id: string): Promise<Memory | null>
  byNumber(number: number): Promise<Memory | null>
  remove(id: string): Promise<void>
  /**
   * Newest first. `projectID`/`sessionID` given: that one's entries plus those of neither; both given: those of the
   * project that are not pinned to another session, those pinned to the session, and those of neither.
   */
  list(query: {
    projectID?: string | undefined
    sessionID?: string | undefined
    types?: MemoryType[] | undefined
    /** Exactly this tag. */
    tag?: string | undefined
    /** Includes invalidated ones. */
    all?: boolean | undefined
    limit: number
  }): Promise<Memory[]>
  reserveNumber(): Promise<number>
}
