import type { ConfigReport, ProjectTrust } from "../config/config-report.ts"
import type { EffectiveConfig } from "../config/effective-config.ts"
import type { TextsInForce } from "./texts-in-force.ts"

/** A directory whose project configuration the user trusts. */
export interface TrustedDirectory {
  /** Real path. */
  directory: string
  /** When something in it was last trusted, in epoch ms. */
  time: { trusted: number }
}

export interface ConfigService {
  get(projectID?: string): Promise<ConfigReport>
  /** The instructions and skills in force in a project. @throws project_not_found */
  texts(projectID: string): Promise<TextsInForce>
  /** Every value in force and its source, without secrets. @throws project_not_found */
  effective(projectID?: string): Promise<EffectiveConfig>
  /** Trusts the project's configuration as it is now. @throws project_not_found, config_changed */
  trust(input: { projectID: string; hash: string }): Promise<ProjectTrust>
  /** Revokes all trust in the project's worktree. Running turns are not affected. @throws project_not_found */
  revoke(projectID: string): Promise<ProjectTrust>
  /** The directories with trust, newest first. */
  trusted(): Promise<TrustedDirectory[]>
  /** Like `revoke`, for a directory from `trusted`, even one that no longer exists. */
  revokeDirectory(directory: string): Promise<void>
}
