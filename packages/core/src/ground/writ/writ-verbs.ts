/** What may follow `/` at the beginning of a line, in prompts and in answers. */
export const writVerbs = ["todo", "mem", "schedule", "agent", "parallel"] as const
export type WritVerb = (typeof writVerbs)[number]
