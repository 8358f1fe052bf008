import type { ExplainedAgent, JudgedAct } from "@docket/core"
import type { Agent } from "@docket/core/schema"
import { z } from "zod"
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

  /** What the rules would say if an agent did that; nothing is done. */
  judge: procedure
    .input(
      ProjectInput.extend({
        agent: z.string().max(200),
        /** The agent that delegates to it. */
        under: z.string().max(200).nullable().default(null),
        permission: z.string().min(1).max(200),
        /** A command line for `bash`, a path for files, else what the permission's rules name. */
        text: z.string().trim().min(1).max(20_000),
      }),
    )
    .query(({ ctx, input: { projectID, ...act } }): Promise<JudgedAct> => ctx.runtime.agent.judge(projectID, act)),
})
