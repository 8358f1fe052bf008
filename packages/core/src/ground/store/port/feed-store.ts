import type { Change } from "../../schema/index.ts"

/** A change, or that a row changed which this version cannot read. */
export type FeedChange = Change | { rootID: string; seq: number; kind: "unreadable" }

export interface FeedStore {
  /** The tree's newest sequence number, or null when there is no such tree. */
  head(rootID: string): Promise<number | null>
  /**
   * Changes with a larger `seq`, in order, at most `limit`. A row that changed twice appears once, with its last
   * seq, so a part may come before its message. Sessions made after `seq` are `created`; nothing is `quiet`. Of a
   * removed tree, the removal of its root stays.
   */
  changesSince(rootID: string, seq: number, limit: number): Promise<FeedChange[]>
}
