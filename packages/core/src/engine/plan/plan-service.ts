import { basename } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { planSteps } from "../../ground/message/plan-steps.ts"
import type { Caller, Todo } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { Todos } from "../../records/todo/create-todo-service.ts"
import { type PlanDocument, type PlanOfSessionDeps, planOfSession, writePlan } from "./plan-document.ts"
import { planPath } from "./plan-file.ts"

export interface PlanService {
  /**
   * The session's plan with the present text of its file; null before it is written. @throws session_not_found,
   * invalid_input
   */
  get(sessionID: string): Promise<PlanDocument | null>
  /** Writes a plan that a user edited. @throws plan_not_found, plan_changed, invalid_input */
  write(sessionID: string, edited: Pick<PlanDocument, "text" | "version">): Promise<PlanDocument>
  /**
   * Makes a todo of each step of the plan, once. The todos link to `partID`, the call that submitted the plan.
   * @returns the new todos, and how many steps had todos before
   * @throws plan_not_found; invalid_input when the plan has no steps
   */
  makeTodos(sessionID: string, partID: string | null): Promise<{ added: Todo[]; known: number }>
}

interface PlanServiceDeps extends PlanOfSessionDeps {
  store: Pick<Store, "transcript">
  todos: Todos
}

/** Lets users read and edit the plans of sessions. */
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
      const changed = await writePlan(place, plan.file, edited)
      const file = planPath(place.worktree, plan.file)
      deps.contents?.keep(await deps.sessionByID(sessionID), { kind: "plan", name: basename(file), file })
      return changed
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
