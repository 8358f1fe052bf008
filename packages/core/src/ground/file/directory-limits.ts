import path from "node:path"
import { DocketError } from "../error/docket-error.ts"
import { isWithin } from "./is-within.ts"
import { realpathOfDeepest } from "./realpath-of-deepest.ts"

/** Where the projects of a workspace may lie. All paths are absolute and real. */
export interface DirectoryLimits {
  /** Only in these; null for anywhere. */
  roots: readonly string[] | null
  /** Directories that belong to others: a project may neither lie in one of them nor contain one. */
  others: readonly string[]
}

/** No limits: those of a workspace that is alone on its machine. */
export const anywhere: DirectoryLimits = { roots: null, others: [] }

/** Whether a directory may be a project. @param real absolute, with every link resolved */
export function mayOpen({ roots, others }: DirectoryLimits, real: string): boolean {
  if (others.some((other) => isWithin(other, real) || isWithin(real, other))) return false
  return roots === null || roots.some((root) => isWithin(root, real))
}

/** Whether a directory may be listed to find a project: so may one that contains a root. */
export function mayList(limits: DirectoryLimits, real: string): boolean {
  if (limits.others.some((other) => isWithin(other, real))) return false
  return limits.roots === null || limits.roots.some((root) => isWithin(root, real) || isWithin(real, root))
}

/**
 * The real path of what was named, if `allows` accepts it. A refusal does not reveal whether the path exists.
 * @throws directory_not_allowed
 */
export async function allowedPath(
  limits: DirectoryLimits,
  named: string,
  allows: (limits: DirectoryLimits, real: string) => boolean = mayOpen,
): Promise<string> {
  const resolved = path.resolve(named)
  const real = await realpathOfDeepest(resolved).catch(() => null)
  if (real === null || !allows(limits, real)) throw notAllowed(limits, resolved)
  return real
}

export function notAllowed({ roots }: DirectoryLimits, directory: string): DocketError {
  const where =
    roots === null
      ? "any but those of other workspaces and of Docket itself"
      : roots.length === 0
        ? "none yet"
        : roots.join(", ")
  const words = `This workspace may not open ${directory}. It may open: ${where}. An administrator names directories in Settings.`
  return new DocketError("directory_not_allowed", words)
}
