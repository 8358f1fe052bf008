import type { Memory, MemoryType } from "../../ground/schema/index.ts"

export interface MemoryService {
  create(input: {
    /** That of the request's key; a new one when left out. */
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
  /** By id or number, also one that no longer holds. @throws memory_not_found */
  get(ref: string | number): Promise<Memory>
  /** @throws memory_not_found, also when it no longer holds */
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
  /** It no longer holds; it stays readable. @throws memory_not_found, also the second time */
  invalidate(ref: string | number): Promise<Memory>
  remove(ref: string | number): Promise<void>
  /**
   * With `q` ranked by full-text score, else most recently changed first. `sessionID` takes what its conversation
   * sees: entries pinned to its tree, those of its project and those of neither.
   */
  search(query: {
    q?: string | undefined
    projectID?: string | undefined
    sessionID?: string | undefined
    types?: MemoryType[] | undefined
    tag?: string | undefined
    /** Raises the rank of these when there is a `q`, without leaving others out. */
    prefer?: { types?: MemoryType[] | undefined; tag?: string | undefined } | undefined
    /** Invalidated ones too. */
    all?: boolean | undefined
    /** What held at that moment, epoch ms. */
    asOf?: number | undefined
    /** Recorded at or after `since` and last changed before `before`, epoch ms. */
    since?: number | undefined
    before?: number | undefined
    /** 50 unless set, at most 200. */
    limit?: number | undefined
  }): Promise<Memory[]>
}
