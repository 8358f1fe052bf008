import { z } from "zod"

/** An operation on a data directory, as sent by the command line. Paths are absolute. */
export const Operation = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("backup"), file: z.string(), data: z.string(), withKeys: z.boolean(), json: z.boolean() }),
  z.object({
    kind: z.literal("restore"),
    file: z.string(),
    data: z.string(),
    replace: z.boolean(),
    /** Restores into the SQLite file of the data directory, whatever DATABASE_URL is. */
    toFile: z.boolean(),
    json: z.boolean(),
  }),
  /** Null: use DATABASE_URL. */
  z.object({ kind: z.literal("to-postgres"), url: z.string().nullable(), data: z.string(), json: z.boolean() }),
  z.object({
    kind: z.literal("to-nodes"),
    url: z.string().nullable(),
    storage: z.string().nullable(),
    data: z.string(),
    json: z.boolean(),
  }),
  z.object({ kind: z.literal("check"), data: z.string(), json: z.boolean() }),
  z.object({ kind: z.literal("secrets"), data: z.string(), json: z.boolean() }),
  z.object({ kind: z.literal("rotate-secrets"), data: z.string(), json: z.boolean() }),
  z.object({
    kind: z.literal("import-secrets"),
    /** What counts where files and rows differ. */
    wins: z.enum(["files", "rows"]),
    data: z.string(),
    json: z.boolean(),
  }),
  z.object({
    kind: z.literal("remove-secrets"),
    /** Null: all of them. */
    which: z.object({ kind: z.string(), name: z.string(), workspace: z.string().nullable() }).nullable(),
    data: z.string(),
    json: z.boolean(),
  }),
  z.object({ kind: z.literal("adopt"), email: z.string().nullable(), data: z.string(), json: z.boolean() }),
])
export type Operation = z.infer<typeof Operation>

/** The result: a message for users, and data for programs. */
export interface Outcome {
  words: string
  facts: Record<string, unknown>
}

export type Report = (words: string) => void
