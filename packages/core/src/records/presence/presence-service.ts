import type { Presence, ViewerTab } from "../../ground/schema/index.ts"

/** The readers of a tree that this runtime serves. Nothing is stored. */
export interface PresenceService {
  /** @throws session_not_found */
  of(sessionID: string): Promise<Presence>
  /**
   * Sets what the caller's tab shows; null for nothing of the tree. Answers false when no such tab follows the session's tree
   * here: the tab sends its place when it subscribes. @throws session_not_found
   */
  at(tab: ViewerTab): Promise<boolean>
}
