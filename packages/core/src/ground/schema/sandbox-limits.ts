import { z } from "zod"

/** What a command may have used too much of. `free` is room on a disk. */
export const LimitName = z.enum(["processes", "memory", "written", "free"])
export type LimitName = z.infer<typeof LimitName>

/** A limit that was gone over. */
export const LimitOver = z.object({
  limit: LimitName,
  /** `all`: the commands together; the one that used most was ended. */
  scope: z.enum(["command", "all"]),
  /** The limit: a number of processes, or bytes. */
  value: z.number(),
})
export type LimitOver = z.infer<typeof LimitOver>

/** What holds commands to their limits. `watch`: their use is counted several times a second. */
export const LimitMeans = z.enum(["cgroup v2", "cgroup v1", "watch", "none"])
export type LimitMeans = z.infer<typeof LimitMeans>

/** What commands may use at most, and what was ended for using more since the service started. */
export const SandboxLimits = z.object({
  means: LimitMeans,
  /** For each command: memory and written in bytes, files for one process. */
  command: z.object({ processes: z.int(), memory: z.int(), files: z.int(), written: z.int() }),
  /** For all commands together that run at once. */
  all: z.object({ processes: z.int(), memory: z.int() }),
  /** Bytes left free on a disk; null for 1 GiB or 3 %, whichever is more. */
  free: z.nullable(z.int()),
  /** The newest first. */
  ended: z.array(LimitOver.extend({ at: z.number() })),
})
export type SandboxLimits = z.infer<typeof SandboxLimits>

/** Whether programs of a project run in a sandbox, as the self-test of the service found. */
export const SandboxState = z.object({
  /** `weak`: it runs, and something that it should keep away is not kept away. */
  state: z.enum(["on", "weak", "off"]),
  /** Why it is not on, for people; null when it is. */
  reason: z.string().nullable(),
  /** How to turn it on; null when it is, or when it cannot be. */
  remedy: z.string().nullable(),
})
export type SandboxState = z.infer<typeof SandboxState>
