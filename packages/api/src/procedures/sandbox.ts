import type { SandboxLimits, SandboxState } from "@docket/core/schema"
import { allowed, router } from "../trpc.ts"

export const sandboxRouter = router({
  /** Whether commands run in a sandbox on this machine, and why not. */
  state: allowed("read").query(({ ctx }): Promise<SandboxState> => ctx.runtime.sandbox.state()),
  /** What commands may use at most, and what was ended for using more. */
  limits: allowed("settings.read").query(({ ctx }): Promise<SandboxLimits> => ctx.runtime.sandbox.limits()),
  /** Names of the service's variables that commands do not get. */
  dropped: allowed("settings.read").query(({ ctx }): Promise<string[]> => ctx.runtime.sandbox.dropped()),
})
