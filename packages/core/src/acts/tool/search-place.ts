import { askExternalDirectory } from "./ask-external.ts"
import type { Files } from "./machine.ts"
import type { ToolContext } from "./tool.ts"
import { resolveWorktreePath, type WorktreePath } from "./worktree-path.ts"

export interface SearchPlace extends WorktreePath {
  kind: "file" | "directory"
}

/**
 * The directory or file in which a search tool looks: the given path or the session's directory. Asks for permission
 * when it lies outside the worktree.
 * @throws Error when it does not exist
 */
export async function searchPlace(context: ToolContext, given: string | undefined): Promise<SearchPlace> {
  const target = await resolveWorktreePath(context, given ?? ".")
  const kind = await kindOf(context.files, target.real)
  await askExternalDirectory(context, target, {
    kind: kind ?? "directory",
    reads: true,
    metadata: { kind: "path", path: target.real, act: "search" },
  })
  if (kind === null && given === undefined) throw new Error(`The directory ${target.real} does not exist.`)
  if (kind === null)
    throw new Error(`There is no file or directory ${target.shown}. Leave path out to search the whole project.`)
  return { ...target, kind }
}

async function kindOf(files: Files, real: string): Promise<"file" | "directory" | null> {
  const found = await files.look(real)
  // ripgrep would block on a pipe that it is told to read.
  if (found?.kind === "other") throw new Error(`${real} is not a regular file (a pipe, socket or device).`)
  return found?.kind ?? null
}
