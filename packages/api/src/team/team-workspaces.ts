import type { Role } from "@docket/core/schema"
import type { Identity } from "../auth/identity.ts"

/** A workspace that somebody belongs to. */
export interface OwnWorkspace {
  id: string
  name: string
  role: Role
  /** Whether the caller works in it now. */
  isCurrent: boolean
}

/** A workspace as people who run the service see it, without its content. */
export interface ListedWorkspace {
  id: string
  name: string
  members: number
  /** Directories that it may open; null for all. */
  roots: string[] | null
  /** Epoch ms; 0 for the first one while nothing was set in it. */
  created: number
}

export interface NewWorkspace {
  name: string
  /** Made from the name when left out. */
  id?: string | undefined
  /** The e-mail address of its owner. Without it, the person who makes it. */
  owner?: string | undefined
}

export interface MadeWorkspace {
  id: string
  name: string
  /** The invitation of an owner who has no account yet. */
  invitation: { url: string; expires: number; mailed: boolean } | null
}

/** Somebody who runs the service, in addition to their roles in workspaces. */
export interface Operator {
  person: string
  name: string
  email: string
}

/** The workspaces of a service with accounts. Capabilities are checked before. */
export interface TeamWorkspaces {
  /** The workspaces of the caller, in order of joining. A key has only its own. */
  own(by: Identity): Promise<OwnWorkspace[]>
  /** Moves the sign-in to another workspace. @throws workspace_not_found, role_forbidden */
  switchTo(by: Identity, id: string): Promise<void>
  /** The other workspace of the caller that has a session which they may see; null for none. */
  holding(by: Identity, sessionID: string): Promise<Pick<OwnWorkspace, "id" | "name"> | null>
  /** Renames the caller's workspace. */
  rename(by: Identity, name: string): Promise<void>
  /**
   * Removes the caller's workspace with all that it holds. @throws invalid_input for the first workspace, and unless
   * `name` is its name; last_operator
   */
  remove(by: Identity, name: string): Promise<void>

  /** All workspaces of the service. */
  all(): Promise<ListedWorkspace[]>
  /** @throws invalid_input for an id that is not valid or taken, or without an owner */
  create(by: Identity, workspace: NewWorkspace): Promise<MadeWorkspace>
  /** Like `remove`, for any workspace. @throws workspace_not_found */
  removeAny(by: Identity, id: string, name: string): Promise<void>
  /**
   * Sets the existing directories (absolute) of any workspace's projects. @throws workspace_not_found; invalid_input
   * for one that no workspace may open, or that another workspace has
   */
  setRoots(
    by: Identity,
    id: string,
    roots: string[],
  ): Promise<Pick<ListedWorkspace, "id" | "name"> & { roots: string[] }>
  operators(): Promise<Operator[]>
  /** @throws person_not_found; last_operator for the last one who can sign in */
  setOperator(email: string, isOperator: boolean): Promise<Operator>
}
