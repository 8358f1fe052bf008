import type { ExplainedAgent } from "@docket/core"
import type { Agent } from "@docket/core/schema"
import { procedure, router } from "../trpc.ts"
import { ProjectInput } from "./input.ts"

export const agentRouter = router({
  list: procedure
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<Agent[]> => ctx.runtime.agent.list(input.projectID)),

  /** Agents with the rules in force, and where both come from. */
  explain: procedure
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<ExplainedAgent[]> => ctx.runtime.agent.explain(input.projectID)),
})
