import type { Memory, MemoryType } from "../../ground/schema/index.ts"

export interface MemoryService {
  create(input: {
    /** The id from the request's key; a new one when omitted. */
    id?: string | undefined
    type: MemoryType
    title: string
    content: string
    source?: string | undefined
    tags?: string[] | undefined
    projectID?: string | undefined
    sessionID?: string | undefined
    agent?: string | undefined
  }): Promise<Memory>
  /** An entry by id or number, even an invalidated one. @throws memory_not_found */
  get(ref: string | number): Promise<Memory>
  /** @throws memory_not_found, also when the entry is invalidated */
  update(
    ref: string | number,
    patch: {
      title?: string | undefined
      content?: string | undefined
      source?: string | undefined
      tags?: string[] | undefined
      type?: MemoryType | undefined
    },
  ): Promise<Memory>
  /**
   * Marks the entry as no longer valid; it stays readable. @throws memory_not_found, also when it is already
   * invalidated
   */
  invalidate(ref: string | number): Promise<Memory>
  remove(ref: string | number): Promise<void>
  /**
   * With `q`, ranked by full-text score; otherwise last changed first. `sessionID` limits the search to what its
   * conversation sees: entries pinned to its tree, those of its project and those of neither.
   */
  search(query: {
    q?: string | undefined
    projectID?: string | undefined
    sessionID?: string | undefined
    types?: MemoryType[] | undefined
    tag?: string | undefined
    /** With `q`, ranks these entries higher without leaving others out. */
    prefer?: { types?: MemoryType[] | undefined; tag?: string | undefined } | undefined
    /** Includes invalidated entries. */
    all?: boolean | undefined
    /** Entries valid at that time, epoch ms. */
    asOf?: number | undefined
    /** Recorded at or after `since` and last changed before `before`, epoch ms. */
    since?: number | undefined
    before?: number | undefined
    /** Default 50, at most 200. */
    limit?: number | undefined
  }): Promise<Memory[]>
}
