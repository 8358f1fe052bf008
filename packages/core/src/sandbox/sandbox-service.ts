import type { SandboxConfig } from "../config/sandbox-config.ts"
import type { SandboxState } from "../schema/index.ts"
import type { Sandbox } from "./sandbox.ts"

export interface SandboxService {
  /** Whether commands run in a sandbox here: what the self-test found, and what the user's own configuration says. */
  state(): Promise<SandboxState>
}

export function createSandboxService(
  sandbox: Sandbox | undefined,
  ownConfig: () => Promise<SandboxConfig | undefined>,
): SandboxService {
  return {
    async state() {
      if (sandbox === undefined)
        return { state: "off", reason: "This service starts commands without a sandbox.", remedy: null }
      const { mode } = (await ownConfig()) ?? {}
      if (mode === "off") {
        const remedy = 'Remove "mode": "off" from "sandbox" there.'
        return { state: "off", reason: "Your own docket.json turns it off.", remedy }
      }
      return sandbox.state()
    },
  }
}
