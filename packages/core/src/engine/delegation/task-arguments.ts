import { z } from "zod"
import type { Agent } from "../../ground/schema/index.ts"

const Text = z.string().trim().min(1, "must not be empty")
/** Models fill in what they mean to leave out. */
const OptionalText = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined)

/** What a person, a model or an answer calls a task: its session id, its task id or its number. */
export const TaskRef = z.union([Text, z.int().positive()]).transform(String)
export const OptionalRef = z
  .union([z.string(), z.int()])
  .optional()
  .transform((ref) => String(ref ?? "").trim() || undefined)

/** The arguments that every way to start a task has. */
export const taskArguments = {
  description: Text.max(200).describe("The task in 3 to 5 words."),
  model: OptionalText.describe('Another model for it, as "provider/model".'),
  todo: OptionalRef.describe("Number or id of the todo that this serves."),
  review: z.literal("required").optional().describe("The task ends only once a person has approved it."),
  output_schema: z.record(z.string(), z.unknown()).optional().describe("A JSON Schema that the answer must fit."),
}

export function promptArgument(description: string) {
  return Text.describe(description)
}

/** Lists of agents of which the parameters are kept. */
const keptLists = 32

/**
 * Parameters that name the agents which can be started. The same names give the same object: a schema is described to
 * models anew only when it is another one. What a model says instead of a name is answered by `chooseSubagent`.
 */
export function withAgents<T>(make: (agentArgument: z.ZodString) => T): (startable: readonly Agent[]) => T {
  const made = new Map<string, T>()
  return (startable) => {
    const names = startable.map(({ name }) => name)
    const key = JSON.stringify(names)
    const known = made.get(key) ?? make(z.string().meta({ enum: names }).describe("Which agent does it."))
    if (made.size >= keptLists) made.clear()
    made.set(key, known)
    return known
  }
}
