import type { Tool } from "../../acts/tool/tool.ts"
import { createPlanEnterTool } from "./plan-enter.ts"
import { createPlanExitTool } from "./plan-exit.ts"
import { type PlanOfSessionDeps, planOfSession } from "./plan-of-session.ts"
import { createStartMode, type StartModeDeps } from "./start-mode.ts"

/** The tools by which a session goes into plan mode and out of it. */
export function createPlanTools(deps: StartModeDeps & PlanOfSessionDeps): Tool[] {
  const startMode = createStartMode(deps)
  return [
    createPlanExitTool({ ...startMode, planOf: async (sessionID) => (await planOfSession(deps, sessionID)).plan }),
    createPlanEnterTool(startMode),
  ]
}
