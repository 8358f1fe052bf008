import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { ToolContext } from "./tool.ts"

/** A path that a tool was given, with every symbolic link on the way resolved. */
export interface WorktreePath {
  /** The absolute real path; its last parts may not exist yet. */
  real: string
  /** Relative to the worktree with `/`, or absolute when outside: for patterns, titles and metadata. */
  name: string
  /** The path for the model: relative to the session's directory, or absolute when outside. */
  shown: string
  inside: boolean
}

/** Kernel file systems: reading there can block, reveal secrets of the service or act on devices. */
const REFUSED_ROOTS = ["/proc", "/sys", "/dev"]

/**
 * Resolves a tool's path argument against the session's directory.
 * @param known the roots of the context, when they are asked for already
 * @throws Error when the path is empty, holds a NUL, loops, or lies in /proc, /sys or /dev.
 */
export async function resolveWorktreePath(
  context: Pick<ToolContext, "worktree" | "directory">,
  given: string,
  known?: Promise<WorktreeRoots>,
): Promise<WorktreePath> {
  if (given === "" || given.includes("\0"))
    throw new Error("The path is empty or holds a NUL character. Give a file path.")
  const absolute = path.resolve(context.directory, given)
  refuseKernelPath(absolute, given)
  const [real, roots] = await Promise.all([realpathOfDeepest(absolute), known ?? worktreeRoots(context)])
  refuseKernelPath(real, given)
  return nameWorktreePath(roots, real)
}

/** The real directories that names are relative to. */
export interface WorktreeRoots {
  worktree: string
  directory: string
}

export async function worktreeRoots(context: Pick<ToolContext, "worktree" | "directory">): Promise<WorktreeRoots> {
  const worktree = await realpathOfDeepest(context.worktree)
  const same = context.directory === context.worktree
  return { worktree, directory: same ? worktree : await realpathOfDeepest(context.directory) }
}

/** Makes the names of a path that is already resolved. */
export function nameWorktreePath({ worktree, directory }: WorktreeRoots, real: string): WorktreePath {
  if (!isWithin(worktree, real)) return { real, name: real, shown: real, inside: false }
  const name = posixRelative(worktree, real) || "."
  return { real, name, shown: posixRelative(directory, real) || ".", inside: true }
}

function refuseKernelPath(absolute: string, given: string): void {
  if (!REFUSED_ROOTS.some((root) => isWithin(root, absolute))) return
  throw new Error(`${given} is not a file of a project: paths in /proc, /sys and /dev are refused.`)
}
