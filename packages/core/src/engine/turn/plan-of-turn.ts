import type { PermissionRuleset, Project, Session, Turn } from "../../ground/schema/index.ts"
import { forOwnPlan } from "../../setup/agent/plan-ceiling.ts"
import { planAgent } from "../../setup/agent/plan-limits.ts"
import { newPlanFile } from "../plan/plan-file.ts"

export interface PlanOfTurnDeps {
  clock: () => number
  /** Holds the plans of projects without git (absolute). */
  planRoot: string
}

/** The file of the plan that a turn works on or has, named when plan mode first comes to the session. */
export async function planOfTurn(
  deps: PlanOfTurnDeps,
  turn: Turn,
  { session, project, agent }: { session: Session; project: Project; agent: string },
): Promise<string | undefined> {
  if (session.plan !== undefined || agent !== planAgent) return session.plan
  const { clock, planRoot } = deps
  return newPlanFile({ session, project, parts: turn.input.parts, at: clock(), planRoot })
}

/** Rulesets of an agent in a session: those of plan mode allow the session's own plan, and none to whoever works for it. */
export function rulesWithPlan(
  agent: string,
  plan: string | null | undefined,
  rulesets: PermissionRuleset[],
): PermissionRuleset[] {
  return agent === planAgent ? rulesets.map((rules) => forOwnPlan(rules, plan ?? null)) : rulesets
}
