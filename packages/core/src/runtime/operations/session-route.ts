import { z } from "zod"
import { ModelRef, PromptInput, PromptPart, Session, SessionID } from "../../ground/schema/index.ts"

/** What operations and routes about sessions share. */
export const ofSession = { schema: SessionID, called: "session" }
export const aSession = { description: "the session", schema: Session }

/** Fields that a new session starts with, and that can be changed later. */
export const SessionFields = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  agent: z.string().optional(),
  model: ModelRef.optional(),
})

const [TextInput, FileInput, AgentInput, SubtaskInput, CommandInput] = PromptPart.options
/** A prompt as a route takes it: without what Docket alone sets. */
export const RestPrompt = PromptInput.extend({
  parts: z
    .array(
      z.discriminatedUnion("type", [
        TextInput.omit({ addedBy: true, notice: true, command: true }),
        FileInput,
        AgentInput,
        SubtaskInput.omit({ command: true }),
        CommandInput.omit({ expansion: true }),
      ]),
    )
    .min(1),
})
