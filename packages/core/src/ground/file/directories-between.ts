import { join, relative, sep } from "node:path"
import { isWithin } from "./is-within.ts"

/** Directories from `worktree` down to `directory`, both included. Only `directory` when it lies elsewhere. */
export function directoriesBetween(worktree: string, directory: string): string[] {
  if (!isWithin(worktree, directory)) return [directory]
  const segments = relative(worktree, directory).split(sep).filter(Boolean)
  return [worktree, ...segments.map((_, index) => join(worktree, ...segments.slice(0, index + 1)))]
}
