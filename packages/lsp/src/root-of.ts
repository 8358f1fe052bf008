import { lstatSync } from "node:fs"
import path from "node:path"
import { isWithin } from "./find-program.ts"
import type { ServerDefinition } from "./server-definitions.ts"

/**
 * The directory in which a server works: the nearest one above the file with a marker, else the worktree.
 * Null where it needs a marker and there is none.
 */
export function rootOf(
  { markers, needsMarker }: Pick<ServerDefinition, "markers" | "needsMarker">,
  worktree: string,
  file: string,
): string | null {
  for (let at = path.dirname(file); isWithin(worktree, at); at = path.dirname(at)) {
    if (markers.some((name) => isFile(path.join(at, name)))) return at
    if (at === worktree) break
  }
  return needsMarker ? null : worktree
}

function isFile(file: string): boolean {
  try {
    return lstatSync(file).isFile()
  } catch {
    return false
  }
}
