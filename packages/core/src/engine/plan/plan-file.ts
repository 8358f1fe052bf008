import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { Project, PromptPart, Session } from "../../ground/schema/index.ts"
import { titleFrom } from "../../records/session/title-from.ts"
import { planDirectory } from "../../setup/agent/builtin-agents.ts"

/** UTF-16 units of a request that name its plan. */
const slugLength = 40

interface PlannedIn {
  session: Pick<Session, "id" | "title">
  project: Pick<Project, "git" | "worktree">
  /** The prompt that is planned for. */
  parts: readonly PromptPart[]
  /** Epoch ms. */
  at: number
  /** Holds the plans of projects without git. */
  planRoot: string
}

/**
 * The file of a session's plan, which nobody has written yet: in the project, relative to its worktree, or absolute with
 * Docket's own data where there is no git that would keep it. No other session has it.
 */
export async function newPlanFile({ session, project, parts, at, planRoot }: PlannedIn): Promise<string> {
  const typed = parts.find((part) => part.type === "text" && part.synthetic !== true)
  const words = typed?.type === "text" ? titleFrom(typed.text, slugLength) : session.title
  const stamp = new Date(at).toISOString().slice(0, 19).replace("T", "-").replaceAll(":", "")
  const name = `${stamp}-${slugOf(words)}-${slugOf(session.id.slice(-6))}.md`
  if (project.git) return `${planDirectory}/${name}`
  const [worktree, root] = await Promise.all([realpathOfDeepest(project.worktree), realpathOfDeepest(planRoot)])
  const file = path.join(root, name)
  // Whoever works in their home has Docket's data in the project.
  return isWithin(worktree, file) ? path.relative(worktree, file) : file
}

/** Where a session's plan lies. */
export function planPath(worktree: string, plan: string): string {
  return path.resolve(worktree, plan)
}

/** Whether a plan's real path is one that `newPlanFile` gives: whatever a row says, no other file is taken for a plan. */
export async function isPlanPath(real: string, place: { worktree: string; planRoot: string }): Promise<boolean> {
  if (!/^[\d-]{17}-[a-z0-9-]+\.md$/.test(path.basename(real))) return false
  const [worktree, root] = await Promise.all([realpathOfDeepest(place.worktree), realpathOfDeepest(place.planRoot)])
  return [path.join(worktree, planDirectory), root].includes(path.dirname(real))
}

/** Letters, digits and dashes, which no shell, pattern or file system reads otherwise. */
function slugOf(words: string): string {
  const slug = words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
  return slug.replace(/^-+|-+$/g, "") || "plan"
}
