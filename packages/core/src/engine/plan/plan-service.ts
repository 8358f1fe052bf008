import type { Todo } from "../../ground/schema/index.ts"
import type { PlanDocument } from "./plan-document.ts"

export interface PlanService {
  /** The session's plan as it stands in its file; null before it is written. @throws session_not_found, invalid_input */
  get(sessionID: string): Promise<PlanDocument | null>
  /** Writes it as a person edited it. @throws plan_not_found, plan_changed, invalid_input */
  write(sessionID: string, edited: Pick<PlanDocument, "text" | "version">): Promise<PlanDocument>
  /**
   * Makes todos of its steps, each once. `partID` is the call that handed the plan over, to which the todos lead.
   * @returns the new todos, and how many steps had been made before
   * @throws plan_not_found; invalid_input when it has no steps
   */
  makeTodos(sessionID: string, partID: string | null): Promise<{ added: Todo[]; known: number }>
}
