import type { ConfigTrust, Project } from "../../schema/index.ts"

export interface ProjectStore {
  get(id: string): Promise<Project | null>
  byDirectory(directory: string): Promise<Project | null>
  /** Most recently opened first. */
  list(): Promise<Project[]>
  put(project: Project): Promise<void>
}

export interface TrustStore {
  /** What is trusted in a directory, or in all of them, newest first. */
  list(directory?: string): Promise<ConfigTrust[]>
  /** One with the same hash is replaced. */
  put(trust: ConfigTrust): Promise<void>
  /** Nothing in the directory is trusted any more. */
  remove(directory: string): Promise<void>
}
