import { z } from "zod"

/** The things that have a limit. `free` is the space left on a disk. */
export const LimitName = z.enum(["processes", "memory", "written", "free"])
export type LimitName = z.infer<typeof LimitName>

/** A limit that was exceeded. */
export const LimitOver = z.object({
  limit: LimitName,
  /** `all`: the limit of all commands together; the command that used most was ended. */
  scope: z.enum(["command", "all"]),
  /** The limit: a number of processes, or bytes. */
  value: z.number(),
})
export type LimitOver = z.infer<typeof LimitOver>

/** How the limits are enforced. `watch`: the use of commands is counted several times a second. */
export const LimitMeans = z.enum(["cgroup v2", "cgroup v1", "watch", "none"])
export type LimitMeans = z.infer<typeof LimitMeans>

/** The most that commands may use, and the commands that were ended for using more since the service started. */
export const SandboxLimits = z.object({
  means: LimitMeans,
  /** For each command: `memory` and `written` in bytes, `files` for one process. */
  command: z.object({ processes: z.int(), memory: z.int(), files: z.int(), written: z.int() }),
  /** For all commands together that run at the same time. */
  all: z.object({ processes: z.int(), memory: z.int() }),
  /** Bytes left free on a disk; null for 1 GiB or 3 %, whichever is more. */
  free: z.nullable(z.int()),
  /** The newest first. */
  ended: z.array(LimitOver.extend({ at: z.number() })),
})
export type SandboxLimits = z.infer<typeof SandboxLimits>

/** Whether commands run in a sandbox, according to the self-test of the service. */
export const SandboxState = z.object({
  /** `weak`: the sandbox runs, but does not block everything that it should. */
  state: z.enum(["on", "weak", "off"]),
  /** Where commands run, if not on this machine: the image of their containers. */
  image: z.string().optional(),
  /** Why the sandbox is not on, for people; null when it is on. */
  reason: z.string().nullable(),
  /** How to turn the sandbox on; null when it is on or cannot be turned on. */
  remedy: z.string().nullable(),
})
export type SandboxState = z.infer<typeof SandboxState>
