import { DocketError } from "../../ground/error/docket-error.ts"
import { planSteps } from "../../ground/message/plan-steps.ts"
import type { Caller } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { Todos } from "../../records/todo/create-todo-service.ts"
import { writePlan } from "./plan-document.ts"
import { type PlanOfSessionDeps, planOfSession } from "./plan-of-session.ts"
import type { PlanService } from "./plan-service.ts"

export interface PlanServiceDeps extends PlanOfSessionDeps {
  store: Pick<Store, "transcript">
  todos: Todos
}

/** Plans of sessions, for people. */
export function createPlanService(deps: PlanServiceDeps, caller: Caller): PlanService {
  const written = async (sessionID: string) => {
    const { place, plan } = await planOfSession(deps, sessionID)
    if (plan === null) throw new DocketError("plan_not_found", "There is no plan yet. Ask for one in plan mode.")
    return { place, plan }
  }
  return {
    get: async (sessionID) => (await planOfSession(deps, sessionID)).plan,
    async write(sessionID, edited) {
      const { place, plan } = await written(sessionID)
      return writePlan(place, plan.file, edited)
    },
    async makeTodos(sessionID, partID) {
      const { plan } = await written(sessionID)
      const steps = planSteps(plan.text)
      if (steps.length === 0) {
        throw new DocketError("invalid_input", "The plan has no numbered steps. Number them, or write them as “- [ ]”.")
      }
      const part = partID === null ? null : await deps.store.transcript.part(partID)
      const handedOver = part?.sessionID === sessionID ? part.id : null
      return deps.todos.as(caller).addSteps(
        sessionID,
        steps.map(({ content, description, isDone }, index) => ({
          content,
          description,
          status: isDone ? "completed" : "pending",
          plan: { file: plan.file, step: index + 1, partID: handedOver },
        })),
        { actor: { kind: "user", name: "user" } },
      )
    },
  }
}
