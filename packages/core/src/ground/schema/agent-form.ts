import { z } from "zod"

/** What an agent may do, as a form offers it: as the rules for everyone say, with questions, or only reading. */
const AgentRights = z.enum(["rules", "asks", "reads", "written"])
/** `written`: rights of its own that no choice stands for; they stay as they are. */
export type AgentRights = z.infer<typeof AgentRights>

/** The usual settings of an agent that a Markdown file defines; what is null or empty is not in the file. */
export const AgentForm = z.object({
  description: z.string().max(2_000),
  mode: z.enum(["primary", "subagent", "all"]),
  /** `provider/model`. */
  model: z.string().max(300).nullable(),
  variant: z.string().max(100).nullable(),
  temperature: z.number().min(0).max(2).nullable(),
  topP: z.number().min(0).max(1).nullable(),
  steps: z.number().int().positive().max(10_000).nullable(),
  color: z.string().max(40).nullable(),
  hidden: z.boolean(),
  disable: z.boolean(),
  rights: AgentRights,
  prompt: z.string().max(120_000),
})
export type AgentForm = z.infer<typeof AgentForm>
