import type { Session, SessionListItem } from "../../schema/index.ts"
import type { Page } from "../page.ts"

/** A tree that nobody sees but this person. */
export interface PrivateTree {
  rootID: string
  person: string
}

export interface SessionStore {
  get(id: string): Promise<Session | null>
  /** Root sessions, most recently updated first. `search` matches titles, ignoring ASCII case. */
  listRoots(query: {
    projectID?: string | undefined
    search?: string | undefined
    archived: boolean
    limit: number
    cursor?: string | undefined
  }): Promise<Page<SessionListItem>>
  /** The rows of these root sessions, those that exist, in any order. */
  listed(rootIDs: readonly string[]): Promise<SessionListItem[]>
  /** Every session of the tree, root first, then by creation. */
  tree(rootID: string): Promise<Session[]>
  children(parentID: string): Promise<Session[]>
  childByOrigin(parentID: string, callID: string): Promise<Session | null>
  /** The trees that only one person sees, and who that is. */
  private(): Promise<PrivateTree[]>
}
