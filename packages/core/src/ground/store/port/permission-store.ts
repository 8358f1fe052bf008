import type { Caller, PermissionRequest } from "../../schema/index.ts"

/**
 * A grant that the user gave with "always": it answers later asks in the session `sessionID` and those below it,
 * without one anywhere in the tree of `rootID`.
 */
export interface PermissionGrant {
  id: string
  rootID: string
  sessionID?: string | undefined
  permission: string
  pattern: string
  /** The request that was answered with it, the agent that asked, and who answered; rows of before have none. */
  requestID?: string | undefined
  agent?: string | undefined
  by?: Caller | undefined
  /** Epoch ms. */
  createdAt: number
}

export interface PermissionStore {
  get(id: string): Promise<PermissionRequest | null>
  /** Pending requests, oldest first, of one tree or of all. */
  pending(rootID?: string): Promise<PermissionRequest[]>
  /** Requests of a session that were answered, the newest first. */
  answered(sessionID: string, limit: number): Promise<PermissionRequest[]>
  /** Requests of a project's sessions from then on (epoch ms), the newest first. */
  since(query: { projectID: string; since: number; limit: number }): Promise<PermissionRequest[]>
  grants(rootID: string): Promise<PermissionGrant[]>
  addGrants(grants: PermissionGrant[]): Promise<void>
  /** Those of all trees, newest first. */
  newestGrants(limit: number): Promise<PermissionGrant[]>
  /** False when there is none of that id. */
  removeGrant(id: string): Promise<boolean>
}
