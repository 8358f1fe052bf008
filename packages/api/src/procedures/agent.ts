import type {
  AgentDraft,
  AgentFileChange,
  AgentFileText,
  AgentOverview,
  ExplainedAgent,
  JudgedAct,
  JudgedHistory,
} from "@docket/core"
import { notRecorded, records } from "@docket/core/operations"
import { type Agent, AgentForm, PermissionConfig } from "@docket/core/schema"
import { z } from "zod"
import { namedAgent, seesSettings } from "../access/without-settings.ts"
import { allowed, router } from "../trpc.ts"
import { ProjectInput } from "./input.ts"

const AgentText = z.string().max(131_072)
const AgentFileInput = ProjectInput.extend({ file: z.string().min(1).max(4_096) })
/** SHA-256, hex. */
const Hash = z.string().regex(/^[0-9a-f]{64}$/)

export const agentRouter = router({
  /** Who may not see the configuration is told their names, what they are for, and their models. */
  list: allowed("read")
    .input(ProjectInput)
    .query(async ({ ctx, input }): Promise<Agent[]> => {
      const agents = await ctx.runtime.agent.list(input.projectID)
      return seesSettings(ctx) ? agents : agents.map(namedAgent)
    }),

  /** Agents with the rules in force, and where both come from. */
  explain: allowed("settings.read")
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<ExplainedAgent[]> => ctx.runtime.agent.explain(input.projectID)),

  /** Every agent with the files that it is made of, and what of these does not count. */
  overview: allowed("settings.read")
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<AgentOverview> => ctx.runtime.agent.overview(input.projectID)),

  /** The text of an agent's file, with the hash that a change of it names. */
  file: allowed("settings.read")
    .input(AgentFileInput)
    .query(({ ctx, input }): Promise<AgentFileText> => ctx.runtime.agent.read(input.projectID, input.file)),

  /** How a text would be read; with `form`, after it was written into the text. Nothing is stored. */
  draft: allowed("read", notRecorded("nothing is stored by it"))
    .input(
      z.object({
        name: z.string().max(200),
        origin: z.enum(["docket", "opencode", "claude"]),
        text: AgentText,
        form: AgentForm.optional(),
      }),
    )
    .mutation(({ ctx, input }): Promise<AgentDraft> => ctx.runtime.agent.draft(input)),

  /** Writes a file for a new agent: the project's, or the user's own. */
  create: allowed("settings.manage", records("agent.changed", { targets: ["name"], facts: ["owner", "replaces"] }))
    .input(
      ProjectInput.extend({
        owner: z.enum(["project", "user"]),
        name: z.string().min(1).max(200),
        text: AgentText,
        replaces: z.boolean().default(false),
      }),
    )
    .mutation(({ ctx, input }): Promise<AgentFileChange> => ctx.runtime.agent.create(input)),

  /** A conflict when the file is not as `hash` says: nothing is written. */
  update: allowed("settings.manage", records("agent.changed", { targets: ["file"] }))
    .input(AgentFileInput.extend({ hash: Hash, text: AgentText }))
    .mutation(({ ctx, input }): Promise<AgentFileChange> => ctx.runtime.agent.update(input)),

  remove: allowed("settings.manage", records("agent.changed", { targets: ["file"] }))
    .input(AgentFileInput.extend({ hash: Hash }))
    .mutation(({ ctx, input }): Promise<AgentFileChange> => ctx.runtime.agent.remove(input)),

  /** What the rules would say if an agent did that; nothing is done. */
  judge: allowed("settings.read")
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

  /** What these rules, last in the user's own configuration, would have made of what agents did since then (epoch ms). */
  judgeHistory: allowed("settings.read")
    .input(ProjectInput.extend({ since: z.number().nonnegative(), permission: PermissionConfig }))
    .query(({ ctx, input: { projectID, ...query } }): Promise<JudgedHistory> => {
      return ctx.runtime.agent.judgeHistory(projectID, query)
    }),
})
