import type { ModelRef, ProviderInfo } from "../schema/index.ts"

export interface ProviderService {
  list(projectID?: string): Promise<ProviderInfo[]>
  /** The model a new session gets, and null only when none exists at all. */
  defaultModel(projectID?: string): Promise<ModelRef>
  saveKey(providerID: string, key: string): Promise<void>
  removeKey(providerID: string): Promise<void>
  /** Looks again for local servers. */
  refresh(): Promise<void>
}
