import type { Role } from "@docket/core/schema"
import type { Identity } from "../auth/identity.ts"

/** A workspace that somebody belongs to. */
export interface OwnWorkspace {
  id: string
  name: string
  role: Role
  /** Whether it is the one that the caller works in. */
  isCurrent: boolean
}

/** A workspace as whoever runs the service sees it: nothing of what is in it. */
export interface ListedWorkspace {
  id: string
  name: string
  members: number
  /** Directories that it may open; null for any. */
  roots: string[] | null
  /** Epoch ms; 0 for the first one before anything was set of it. */
  created: number
}

export interface NewWorkspace {
  name: string
  /** Made of the name when left out. */
  id?: string | undefined
  /** E-mail address of its owner; left out, who makes it. */
  owner?: string | undefined
}

export interface MadeWorkspace {
  id: string
  name: string
  /** For an owner who has no account yet. */
  invitation: { url: string; expires: number; mailed: boolean } | null
}

/** Somebody who runs the service, beside what they are in their workspaces. */
export interface Operator {
  person: string
  name: string
  email: string
}

/** The workspaces of a service with accounts. What a role may do of it is decided before. */
export interface TeamWorkspaces {
  /** Those of the caller, the first joined first; of a key, the one that it is for. */
  own(by: Identity): Promise<OwnWorkspace[]>
  /** Lets the sign-in work in another workspace from now on. @throws workspace_not_found, role_forbidden */
  switchTo(by: Identity, id: string): Promise<void>
  /** Which of the caller's other workspaces has a session that they see; null for none. */
  holding(by: Identity, sessionID: string): Promise<Pick<OwnWorkspace, "id" | "name"> | null>
  /** Names the caller's workspace. */
  rename(by: Identity, name: string): Promise<void>
  /**
   * Removes the caller's workspace with all that it holds. @throws invalid_input for the first one, and unless `name` is
   * what it is called; last_operator
   */
  remove(by: Identity, name: string): Promise<void>

  /** All of the service. */
  all(): Promise<ListedWorkspace[]>
  /** @throws invalid_input for an id that cannot be one or is taken, or without an owner */
  create(by: Identity, workspace: NewWorkspace): Promise<MadeWorkspace>
  /** The same as `remove`, of any other. @throws workspace_not_found */
  removeAny(by: Identity, id: string, name: string): Promise<void>
  /**
   * Where the projects of any workspace lie: absolute directories that are there. @throws workspace_not_found; invalid_input
   * for what no workspace may open, or another one has
   */
  setRoots(
    by: Identity,
    id: string,
    roots: string[],
  ): Promise<Pick<ListedWorkspace, "id" | "name"> & { roots: string[] }>
  operators(): Promise<Operator[]>
  /** @throws person_not_found; last_operator for the last one who could sign in */
  setOperator(email: string, isOperator: boolean): Promise<Operator>
}
