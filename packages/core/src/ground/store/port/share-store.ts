import type { Share } from "../../schema/index.ts"

export interface ShareStore {
  put(share: Share): Promise<void>
  get(id: string): Promise<Share | null>
  byHash(secretHash: string): Promise<Share | null>
  /** Shares of the tree, or of all, newest first, revoked ones included. */
  list(rootID?: string): Promise<Share[]>
}
