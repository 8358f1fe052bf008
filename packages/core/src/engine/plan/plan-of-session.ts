import type { Project, Session } from "../../ground/schema/index.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import { type PlanDocument, type PlanPlace, readPlan } from "./plan-document.ts"

export interface PlanOfSessionDeps {
  /** Holds the plans of projects without git (absolute). */
  planRoot: string
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
}

/** A session's plan as it stands in its file, null before it is written, and where it may lie. */
export async function planOfSession(
  deps: PlanOfSessionDeps,
  sessionID: string,
): Promise<{ place: PlanPlace; plan: PlanDocument | null }> {
  const session = await deps.sessionByID(sessionID)
  const { worktree } = workingProject(session, await deps.projectByID(session.projectID))
  const place = { worktree, planRoot: deps.planRoot }
  return { place, plan: session.plan === undefined ? null : await readPlan(place, session.plan) }
}
