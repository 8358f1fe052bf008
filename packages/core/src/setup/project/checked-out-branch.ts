import { projectGit } from "../../ground/git/project-git.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import type { Project } from "../../ground/schema/index.ts"

/** ms; a name is not worth a longer wait. */
const timeout = 3_000

/** The branch that is checked out in a project; null when a commit is, without git, and when git cannot tell. */
export async function checkedOutBranch(
  { env }: { env: Environment },
  { git, worktree }: Pick<Project, "git" | "worktree">,
): Promise<string | null> {
  if (!git) return null
  try {
    const name = await projectGit({ directory: worktree, env, timeout }, ["symbolic-ref", "--quiet", "--short", "HEAD"])
    return name.toString("utf8").trim() || null
  } catch {
    return null
  }
}
