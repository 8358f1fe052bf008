import type { Project } from "../../ground/schema/index.ts"
import type { PromptSuggestion } from "./suggest-prompts.ts"

export interface ProjectService {
  /** @throws project_directory_missing; directory_not_allowed for one that is not the workspace's to open */
  open(directory: string): Promise<Project>
  list(): Promise<Project[]>
  get(id: string): Promise<Project>
  /** Files of the project that match `query`, best first, relative to its directory. For @file completion. */
  files(id: string, query: string, limit: number): Promise<string[]>
  /** A few prompts to try on this very project. @throws project_directory_missing */
  suggestions(id: string): Promise<PromptSuggestion[]>
  /**
   * Sub-directories of an absolute path, for the project picker; without one, of the home directory or of the first that
   * the workspace may open. @throws project_directory_missing, directory_not_allowed
   */
  directories(
    path?: string,
  ): Promise<{ path: string; parent: string | null; entries: { name: string; git: boolean }[] }>
}
