import { z } from "zod"
import { ModelRef } from "../../ground/schema/index.ts"
import { ProjectInput } from "./input.ts"
import { query } from "./operation.ts"

export const toolOperations = {
  /**
   * The tools of an agent in a project: those that its model is offered, and why others are not. Without `model`: the
   * agent's own, else the project's. Fails with `agent_not_found`.
   */
  list: query({
    capability: "settings.read",
    input: ProjectInput.extend({ agent: z.string().max(200), model: ModelRef.optional() }),
    run: ({ tool }, { projectID, ...asked }) => tool.list(projectID, asked),
  }),
}
