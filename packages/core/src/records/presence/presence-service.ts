import type { Presence, ViewerTab } from "../../ground/schema/index.ts"

/** Who reads a tree now: those whom this runtime serves. None of it is stored. */
export interface PresenceService {
  /** @throws session_not_found */
  of(sessionID: string): Promise<Presence>
  /**
   * What the caller's tab shows from now on; null for nothing of the tree. False when no such tab of the caller follows the
   * tree of the session here: it says where it is when it follows one. @throws session_not_found
   */
  at(tab: ViewerTab): Promise<boolean>
}
