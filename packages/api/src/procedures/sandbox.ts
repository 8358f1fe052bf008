import type { SandboxState } from "@docket/core/schema"
import { allowed, router } from "../trpc.ts"

export const sandboxRouter = router({
  /** Whether commands run in a sandbox on this machine, and why not. */
  state: allowed("read").query(({ ctx }): Promise<SandboxState> => ctx.runtime.sandbox.state()),
})
