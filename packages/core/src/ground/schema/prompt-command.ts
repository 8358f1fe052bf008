import { z } from "zod"
import { ModelRef } from "./model.ts"

/** Where a command comes from: Docket, the user's own configuration, or the project's. */
export const CommandOrigin = z.enum(["docket", "user", "project"])
export type CommandOrigin = z.infer<typeof CommandOrigin>

/** A command of a project, as people choose one: `/name` in a prompt stands for what its template comes to. */
export const PromptCommand = z.object({
  name: z.string(),
  description: z.string(),
  /** What to type after the name, in words. */
  hint: z.string().nullable(),
  origin: CommandOrigin,
  /** Absolute path of the file that defines it; null for Docket's own. */
  file: z.string().nullable(),
  agent: z.string().nullable(),
  model: ModelRef.nullable(),
  /** A subagent does the work. */
  subtask: z.boolean(),
})
export type PromptCommand = z.infer<typeof PromptCommand>

/** Text of a prompt, or a command whose output goes there. */
export const CommandPiece = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("run"), command: z.string() }),
])
export type CommandPiece = z.infer<typeof CommandPiece>

/** A command with its arguments put in, as it stood when the prompt was taken. */
export const CommandExpansion = z.object({
  origin: CommandOrigin,
  pieces: z.array(CommandPiece),
  /** The subagent that does the work; null when the session does it. */
  subtask: z.object({ agent: z.string(), description: z.string(), model: ModelRef.nullable() }).nullable(),
})
export type CommandExpansion = z.infer<typeof CommandExpansion>
