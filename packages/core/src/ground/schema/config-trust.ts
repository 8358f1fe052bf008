import { z } from "zod"
import { Caller } from "./caller.ts"

/** The user has looked at this content of a project's configuration and lets it count. */
export const ConfigTrust = z.object({
  /** Real path of the project's worktree. */
  directory: z.string(),
  /** Stands for the directory and everything in it that configures (SHA-256, hex). */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Digests of all that it set, so that what is new in later content can be told. Missing in old rows. */
  entries: z.array(z.string()).optional(),
  /** Who has. */
  by: Caller.optional(),
  time: z.object({ trusted: z.number() }),
})
export type ConfigTrust = z.infer<typeof ConfigTrust>
