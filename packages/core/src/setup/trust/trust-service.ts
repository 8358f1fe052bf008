import type { ConfigReport, ProjectTrust } from "../config/config-report.ts"
import type { EffectiveConfig } from "../config/effective-config.ts"
import type { TextsInForce } from "./texts-in-force.ts"

/** A directory where the user trusts what a project configures. */
export interface TrustedDirectory {
  /** Real path. */
  directory: string
  /** When something in it was last trusted, in epoch ms. */
  time: { trusted: number }
}

export interface ConfigService {
  get(projectID?: string): Promise<ConfigReport>
  /** The instructions and skills that count in a project. @throws project_not_found */
  texts(projectID: string): Promise<TextsInForce>
  /** Every value that counts and where it comes from, without secrets. @throws project_not_found */
  effective(projectID?: string): Promise<EffectiveConfig>
  /** Lets the project's configuration count as it is now. @throws project_not_found, config_changed */
  trust(input: { projectID: string; hash: string }): Promise<ProjectTrust>
  /** Takes back all trust in the project's worktree. Turns that run end as they began. @throws project_not_found */
  revoke(projectID: string): Promise<ProjectTrust>
  /** Where the user trusts something, newest first. */
  trusted(): Promise<TrustedDirectory[]>
  /** As `revoke`, for a directory of `trusted`, also when it is gone. */
  revokeDirectory(directory: string): Promise<void>
}
