import path from "node:path"
import { mayOpen } from "../../ground/file/directory-limits.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { PermissionAsk } from "../permission/judge.ts"
import type { AskPlace } from "./tool.ts"
import type { WorktreePath } from "./worktree-path.ts"

/**
 * Asks for `external_directory` when a path lies outside the worktree. The pattern is the directory with `/*`;
 * `metadata` describes the planned action. Saved outputs of earlier calls, files of skills and the session's own plan
 * are read without asking. Paths that are not the workspace's are refused.
 */
export async function askExternalDirectory(
  context: Pick<AskPlace, "outputDirectory" | "skillDirectories" | "ownPlan" | "directoryLimits" | "ask">,
  target: WorktreePath,
  options: { kind: "file" | "directory"; reads: boolean; metadata?: PermissionAsk["metadata"] },
): Promise<void> {
  if (target.inside) return
  if (options.reads && (await readableDirectories(context)).some((at) => isWithin(at, target.real))) return
  const { ownPlan } = context
  if (ownPlan?.file === target.real && (options.reads || ownPlan.mayEdit)) return
  if (!mayOpen(context.directoryLimits, target.real)) throw outsideError(target.shown)
  const pattern = externalPattern(options.kind === "file" ? path.dirname(target.real) : target.real)
  await context.ask({
    permission: "external_directory",
    patterns: [pattern],
    always: [pattern],
    metadata: options.metadata ?? { kind: "path", path: target.real },
  })
}

function outsideError(name: string): Error {
  return new Error(
    `${name} is in no directory of this workspace. Agents open nothing else; tell the user what you need.`,
  )
}

async function readableDirectories(
  context: Pick<AskPlace, "outputDirectory" | "skillDirectories">,
): Promise<readonly string[]> {
  return [await realpathOfDeepest(context.outputDirectory), ...context.skillDirectories]
}

/** The permission pattern for everything in a directory. */
export function externalPattern(directory: string): string {
  return `${directory === "/" ? "" : directory}/*`
}
