import { isBuiltin } from "node:module"
import { DocketError } from "../../../ground/error/docket-error.ts"

/** A package as named in `provider.<id>.npm`. */
export interface PackageSpec {
  name: string
  /** Exact version; null for the newest. */
  version: string | null
}

/** Most characters of a package's name at npm. */
const longestName = 214
const namePattern = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/
const versionPattern = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/

/**
 * Reads `name` or `name@1.2.3`. Ranges, tags, aliases, paths, addresses and repositories are refused, so that only a
 * registry package in the agreed version is installed.
 * @throws invalid_input
 */
export function parsePackageSpec(text: string): PackageSpec {
  const at = text.indexOf("@", 1)
  const name = at === -1 ? text : text.slice(0, at)
  const version = at === -1 ? null : text.slice(at + 1)
  if (isPackageName(name) && (version === null || isExactVersion(version))) return { name, version }
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text
  const message = `"${shown}" is not a package that Docket installs: write a name, or a name with an exact version, such as "@ai-sdk/groq" or "@ai-sdk/groq@4.0.0".`
  throw new DocketError("invalid_input", message)
}

/** Node's own modules are excluded, because an import would load them instead of the package. */
export function isPackageName(name: string): boolean {
  return !isBuiltin(name) && name.length <= longestName && namePattern.test(name) && !name.includes("..")
}

export function isExactVersion(version: string): boolean {
  return version.length <= 100 && versionPattern.test(version)
}

export function formatPackageSpec({ name, version }: PackageSpec): string {
  return version === null ? name : `${name}@${version}`
}
