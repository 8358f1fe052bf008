import { z } from "zod"

/** A language server of a project, as people see it. */
export const LanguageServerState = z.object({
  id: z.string(),
  /** Endings of its files. */
  extensions: z.array(z.string()),
  /**
   * - `running`, `starting`: it runs.
   * - `ready`: it is installed and starts with the first file that needs it.
   * - `failed`: it ended too often; a restart tries again.
   * - `absent`: it is not installed. `refused`: it may not run here. `disabled`: the configuration turns it off.
   */
  state: z.enum(["running", "starting", "ready", "failed", "absent", "refused", "disabled"]),
  /** Why it does not run, and what to do. */
  reason: z.nullable(z.string()),
  /** The program (absolute); null when there is none. */
  program: z.nullable(z.string()),
  /** Where the program comes from. */
  from: z.nullable(z.enum(["path", "project", "docket", "configuration"])),
  /** The directories in which it runs (absolute), with the process and since when (epoch ms). */
  running: z.array(z.object({ root: z.string(), pid: z.int(), since: z.number(), files: z.int() })),
})
export type LanguageServerState = z.infer<typeof LanguageServerState>
