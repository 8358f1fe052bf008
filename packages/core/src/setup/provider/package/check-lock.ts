import { z } from "zod"
import { DocketError } from "../../../ground/error/docket-error.ts"
import type { ExactPackage } from "../../../ground/schema/index.ts"

const Specs = z.record(z.string(), z.string()).optional()
const Entry = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  hasShrinkwrap: z.boolean().optional(),
  dependencies: Specs,
  optionalDependencies: Specs,
  peerDependencies: Specs,
})
const Lock = z.looseObject({ packages: z.record(z.string(), Entry) })

/**
 * Checks what npm would install: the agreed package unchanged, and otherwise only packages from the registry with their
 * integrity. @throws package_changed, package_invalid
 */
export function checkLock(text: string, agreed: ExactPackage): void {
  const { packages } = Lock.parse(JSON.parse(text))
  const own = packages[`node_modules/${agreed.name}`]
  if (own?.version !== agreed.version || own.integrity !== agreed.integrity) {
    const message = `The registry now has another ${agreed.name}@${agreed.version} than the one you agreed to; nothing was installed. Look at it again.`
    throw new DocketError("package_changed", message)
  }
  for (const [path, entry] of Object.entries(packages)) {
    const fault = faultOf(path, entry) ?? strangeOrigin(packages, path)
    if (fault === null) continue
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
    const message = `${agreed.name} was not installed: ${path === "" ? agreed.name : name} ${fault}.`
    throw new DocketError("package_invalid", message)
  }
}

function faultOf(path: string, entry: z.infer<typeof Entry>): string | null {
  const specs = [entry.dependencies, entry.optionalDependencies, entry.peerDependencies]
  const foreign = specs.flatMap((names) => Object.values(names ?? {})).find((spec) => !isRegistrySpec(spec))
  if (foreign !== undefined) return `needs "${foreign.slice(0, 200)}", which does not come from the registry`
  // The first entry is the directory itself; bundled packages are inside another archive.
  if (path === "" || entry.inBundle) return null
  if (entry.link || !/^https?:\/\//.test(entry.resolved ?? "")) return "does not come from the registry"
  return entry.integrity === undefined ? "comes without an integrity" : null
}

/** A package with its own lock file (npm-shrinkwrap.json) may name any address for its dependencies. */
function strangeOrigin(packages: z.infer<typeof Lock>["packages"], path: string): string | null {
  const { resolved, inBundle } = packages[path] ?? {}
  if (resolved === undefined || inBundle) return null
  const listers = Object.entries(packages).filter(
    ([lister, entry]) => entry.hasShrinkwrap && path.startsWith(`${lister}/`),
  )
  const isStrange = listers.some(([, entry]) => originOf(entry.resolved) !== originOf(resolved))
  return isStrange ? `comes from ${resolved.slice(0, 200)}, not from the registry` : null
}

function originOf(address: string | undefined): string | null {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : null
}

/** A version, range, tag or alias; not a path, address or repository. */
function isRegistrySpec(spec: string): boolean {
  return spec.startsWith("npm:") || !/[:/]/.test(spec)
}
