import { z } from "zod"

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
