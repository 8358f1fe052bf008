import type { Project } from "../schema/index.ts"

export interface ProjectService {
  /** @throws project_directory_missing */
  open(directory: string): Promise<Project>
  list(): Promise<Project[]>
  get(id: string): Promise<Project>
  /** Files of the project that match `query`, best first, relative to its directory. For @file completion. */
  files(id: string, query: string, limit: number): Promise<string[]>
  /** Sub-directories of an absolute path, for the project picker. */
  directories(path: string): Promise<{ path: string; parent: string | null; entries: { name: string; git: boolean }[] }>
}
