import { z } from "zod"

/** What an operator does with a data directory, as the command line hands it on. Paths are absolute. */
export const Operation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("backup"), file: z.string(), data: z.string(), withKeys: z.boolean(), json: z.boolean() }),
  z.object({
    kind: z.literal("restore"),
    file: z.string(),
    data: z.string(),
    replace: z.boolean(),
    /** Into the file of the data directory, whatever DATABASE_URL says. */
    toFile: z.boolean(),
    json: z.boolean(),
  }),
  /** Without an address, the one of DATABASE_URL. */
  z.object({ kind: z.literal("to-postgres"), url: z.string().nullable(), data: z.string(), json: z.boolean() }),
  z.object({ kind: z.literal("adopt"), email: z.string().nullable(), data: z.string(), json: z.boolean() }),
])
export type Operation = z.infer<typeof Operation>

/** What came of it: words for a person, and facts for a program. */
export interface Outcome {
  words: string
  facts: Record<string, unknown>
}

export type Report = (words: string) => void
