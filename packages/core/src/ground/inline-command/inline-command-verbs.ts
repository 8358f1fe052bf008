/** The words that may follow `/` at the beginning of a line, in prompts and in answers. */
export const inlineCommandVerbs = ["todo", "mem", "schedule", "agent", "parallel"] as const
export type InlineCommandVerb = (typeof inlineCommandVerbs)[number]
