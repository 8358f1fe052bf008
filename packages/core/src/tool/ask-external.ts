import path from "node:path"
import { isWithin } from "../file/is-within.ts"
import type { PermissionAsk } from "../permission/permission-ask.ts"
import type { AskPlace } from "./tool.ts"
import { realpathOfDeepest, type WorktreePath } from "./worktree-path.ts"

/**
 * Asks for `external_directory` when a path lies outside the worktree. The pattern is the directory with
 * `/*`; `metadata` says what is meant to be done there. Reading the saved outputs of earlier calls needs no question.
 */
export async function askExternalDirectory(
  context: Pick<AskPlace, "outputDirectory" | "ask">,
  target: WorktreePath,
  options: { kind: "file" | "directory"; reads: boolean; metadata?: PermissionAsk["metadata"] },
): Promise<void> {
  if (target.inside) return
  if (options.reads && isWithin(await realpathOfDeepest(context.outputDirectory), target.real)) return
  const pattern = externalPattern(options.kind === "file" ? path.dirname(target.real) : target.real)
  await context.ask({
    permission: "external_directory",
    patterns: [pattern],
    always: [pattern],
    metadata: options.metadata ?? { kind: "path", path: target.real },
  })
}

/** The permission pattern for everything in a directory. */
export function externalPattern(directory: string): string {
  return `${directory === "/" ? "" : directory}/*`
}
