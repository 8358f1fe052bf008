import { bundledPackages } from "../config/bundled-packages.ts"
import type { Config } from "../config/schema.ts"
import type { KeyTarget } from "./saved-key.ts"

/** The recipient of the key for a provider that is configured like this. */
export function keyTarget(id: string, config: Config): KeyTarget {
  const configured = config.provider?.[id]
  const npm = configured?.npm
  // Without its version; the first letter is skipped, since it may be the @ of a scope.
  const installed = npm === undefined || bundledPackages.includes(npm) ? null : npm.replace(/(?<=.)@.*$/, "")
  return { baseURL: configured?.options?.baseURL ?? null, package: installed }
}
