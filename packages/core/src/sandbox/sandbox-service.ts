import type { Bounds } from "../bound/bounds.ts"
import { limitsOf } from "../config/limits-config.ts"
import type { SandboxConfig } from "../config/sandbox-config.ts"
import type { SandboxLimits, SandboxState } from "../schema/index.ts"
import type { Sandbox } from "./sandbox.ts"

export interface SandboxService {
  /** Whether commands run in a sandbox here: what the self-test found, and what the user's own configuration says. */
  state(): Promise<SandboxState>
  /** What commands may use by the user's own configuration, and what was ended for using more. */
  limits(): Promise<SandboxLimits>
}

interface SandboxServiceDeps {
  sandbox?: Sandbox | undefined
  bounds?: Bounds | undefined
  /** Of the workspace. */
  scope(): string
  ownConfig(): Promise<SandboxConfig | undefined>
}

export function createSandboxService({ sandbox, bounds, scope, ownConfig }: SandboxServiceDeps): SandboxService {
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
    async limits() {
      const limits = limitsOf((await ownConfig())?.limits)
      return { ...limits, means: (await bounds?.means()) ?? "none", ended: bounds?.ended(scope()) ?? [] }
    },
  }
}
