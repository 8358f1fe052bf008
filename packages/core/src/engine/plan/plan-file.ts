import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { Project, PromptPart, Session } from "../../ground/schema/index.ts"
import { titleFrom } from "../../records/session/title-from.ts"
import { planDirectory } from "../../setup/agent/builtin-agents.ts"

/** UTF-16 units of the request that are used in the name of its plan. */
const slugLength = 40

interface PlannedIn {
  session: Pick<Session, "id" | "title">
  project: Pick<Project, "git" | "worktree">
  /** The prompt to plan for. */
  parts: readonly PromptPart[]
  /** Epoch ms. */
  at: number
  /** The directory for plans of projects without git. */
  planRoot: string
}

/**
 * A new file name for a session's plan: relative to the worktree, or an absolute path in Docket's own data when the
 * project has no git. No other session uses it.
 */
export async function newPlanFile({ session, project, parts, at, planRoot }: PlannedIn): Promise<string> {
  const typed = parts.find((part) => part.type === "text" && part.synthetic !== true)
  const words = typed?.type === "text" ? titleFrom(typed.text, slugLength) : session.title
  const stamp = new Date(at).toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "")
  const name = `${stamp}-${slugOf(words)}-${slugOf(session.id.slice(-6))}.md`
  if (project.git) return `${planDirectory}/${name}`
  const [worktree, root] = await Promise.all([realpathOfDeepest(project.worktree), realpathOfDeepest(planRoot)])
  const file = path.join(root, name)
  // When the project is the user's home, Docket's data is inside the project.
  return isWithin(worktree, file) ? path.relative(worktree, file) : file
}

/** The absolute path of a session's plan. */
export function planPath(worktree: string, plan: string): string {
  return path.resolve(worktree, plan)
}

/**
 * Whether a plan's real path is one that `newPlanFile` can make. Other files are never treated as a plan, whatever the
 * stored row says.
 */
export async function isPlanPath(real: string, place: { worktree: string; planRoot: string }): Promise<boolean> {
  if (!/^[\d-]{17}-[a-z0-9-]+\.md$/.test(path.basename(real))) return false
  const [worktree, root] = await Promise.all([realpathOfDeepest(place.worktree), realpathOfDeepest(place.planRoot)])
  return [path.join(worktree, planDirectory), root].includes(path.dirname(real))
}

/** Letters, digits and dashes, which have no special meaning in shells, patterns and file systems. */
function slugOf(words: string): string {
  const slug = words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
  return slug.replace(/^-+|-+$/g, "") || "plan"
}
