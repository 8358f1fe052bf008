import type { ConfigReport, ProjectTrust } from "../config/config-report.ts"

/** A directory where the user trusts what a project configures. */
export interface TrustedDirectory {
  /** Real path. */
  directory: string
  /** When something in it was last trusted, in epoch ms. */
  time: { trusted: number }
}

export interface ConfigService {
  get(projectID?: string): Promise<ConfigReport>
  /** Lets the project's configuration count as it is now. @throws project_not_found, config_changed */
  trust(input: { projectID: string; hash: string }): Promise<ProjectTrust>
  /** Takes back all trust in the project's worktree. Turns that run end as they began. @throws project_not_found */
  revoke(projectID: string): Promise<ProjectTrust>
  /** Where the user trusts something, newest first. */
  trusted(): Promise<TrustedDirectory[]>
  /** As `revoke`, for a directory of `trusted`, also when it is gone. */
  revokeDirectory(directory: string): Promise<void>
}
