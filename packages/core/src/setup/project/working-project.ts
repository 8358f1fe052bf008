import { existsSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { Project, Session } from "../../ground/schema/index.ts"

/** The project as a session sees it: a child with its own git worktree works there. */
export function workingProject(session: Pick<Session, "directory">, project: Project): Project {
  // A session of a repository has no files before it begins to work.
  if (!isAbsolute(session.directory) || isWithin(project.worktree, session.directory)) return project
  return { ...project, directory: session.directory, worktree: topOf(session.directory) }
}

/** The directory with the `.git` of the worktree, at or above `directory`. */
function topOf(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at
    if (dirname(at) === at) return directory
  }
}
