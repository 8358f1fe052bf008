import type { ExactPackage, InstalledPackage, ModelRef, PackageFacts, ProviderInfo } from "../../ground/schema/index.ts"

export interface ProviderService {
  list(projectID?: string): Promise<ProviderInfo[]>
  /** The model a new session gets, and null only when none exists at all. */
  defaultModel(projectID?: string): Promise<ModelRef>
  /** For the address that the provider has in the project, or without one by the user's own configuration. */
  saveKey(providerID: string, key: string, projectID?: string): Promise<void>
  removeKey(providerID: string, projectID?: string): Promise<void>
  /** Looks again for local servers. */
  refresh(): Promise<void>
  /** Provider packages that the user agreed to install. */
  packages(): Promise<InstalledPackage[]>
  /** What the registry has under `name` or `name@1.2.3`. @throws invalid_input, package_not_found, package_unavailable, package_invalid */
  lookUpPackage(spec: string): Promise<PackageFacts>
  /** Installs what `lookUpPackage` told. @throws package_changed, package_unavailable, package_invalid */
  installPackage(agreed: ExactPackage): Promise<InstalledPackage>
  /** What runs already goes on until Docket is started again. */
  removePackage(name: string, version: string): Promise<void>
}
