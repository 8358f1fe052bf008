import { z } from "zod"
import { ModelRef } from "./model.ts"

/** Where a command comes from: Docket, the user's own configuration, or the project's. */
export const CommandOrigin = z.enum(["docket", "user", "project"])
export type CommandOrigin = z.infer<typeof CommandOrigin>

/** A command that people can choose: `/name` in a prompt stands for the text that its template produces. */
export const PromptCommand = z.object({
  name: z.string(),
  description: z.string(),
  /** A description of what to type after the name. */
  hint: z.string().nullable(),
  origin: CommandOrigin,
  /** Absolute path of the file that defines it; null for Docket's own. */
  file: z.string().nullable(),
  agent: z.string().nullable(),
  model: ModelRef.nullable(),
  /** Whether a subagent does the work. */
  subtask: z.boolean(),
})
export type PromptCommand = z.infer<typeof PromptCommand>

/** Text of a prompt, or a shell command whose output takes its place. */
export const CommandPiece = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("run"), command: z.string() }),
])
export type CommandPiece = z.infer<typeof CommandPiece>

/** A command with its arguments filled in, as it was defined when the prompt was accepted. */
export const CommandExpansion = z.object({
  origin: CommandOrigin,
  pieces: z.array(CommandPiece),
  /** The subagent that does the work; null when the session does it. */
  subtask: z.object({ agent: z.string(), description: z.string(), model: ModelRef.nullable() }).nullable(),
})
export type CommandExpansion = z.infer<typeof CommandExpansion>
