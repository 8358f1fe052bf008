import type { SandboxLimits, SandboxState } from "../../ground/schema/index.ts"
import { limitsOf } from "../../ground/schema/limits-config.ts"
import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import type { Bounds } from "../bound/bounds.ts"
import { droppedVariables } from "./command-env.ts"
import type { Sandbox } from "./sandbox.ts"

export interface SandboxService {
  /** Whether commands run in a sandbox here, according to the self-test and the user's own configuration. */
  state(): Promise<SandboxState>
  /** Resource limits of commands in the user's own configuration, and what was stopped for exceeding them. */
  limits(): Promise<SandboxLimits>
  /** Names of the service's variables that commands do not get. */
  dropped(): Promise<string[]>
}

/** The state when the self-test could not run, as on a full disk: no command runs, and the next one tries again. */
function untried(error: unknown): SandboxState {
  const said = error instanceof Error ? error.message : String(error)
  const isFull = /\b(?:ENOSPC|EDQUOT)\b/.test(said)
  const reason = isFull ? "the disk with the data directory is full" : said.replace(/\.$/, "")
  return {
    state: "off",
    reason: `The sandbox could not be tried: ${reason}.`,
    remedy: isFull ? "Make room there." : "Mend that; the next command tries again.",
  }
}

interface SandboxServiceDeps {
  /** Where commands run with this configuration; null where nothing confines them. */
  sandboxFor(config: SandboxConfig): Sandbox | null
  bounds?: Bounds | undefined
  /** The scope of the workspace. */
  scope(): string
  /** Whether several people share the service. */
  isShared: boolean
  env: Readonly<Record<string, string | undefined>>
  /** The user's own configuration, and the variables that its providers read. */
  ownConfig(): Promise<{ sandbox: SandboxConfig; providerVariables: readonly string[] }>
}

export function createSandboxService({
  sandboxFor,
  bounds,
  scope,
  isShared,
  env,
  ownConfig,
}: SandboxServiceDeps): SandboxService {
  return {
    async state() {
      const { sandbox: own } = await ownConfig()
      const sandbox = sandboxFor(own)
      if (sandbox === null)
        return { state: "off", reason: "This service starts commands without a sandbox.", remedy: null }
      if (own.mode === "off" && (own.executor ?? "local") === "local") {
        const remedy = 'Remove "mode": "off" from "sandbox" there.'
        return { state: "off", reason: "Your own docket.json turns it off.", remedy }
      }
      const state = await sandbox.state().catch(untried)
      return own.executor === "docker" ? { ...state, image: own.docker?.image ?? "" } : state
    },
    async limits() {
      const limits = limitsOf((await ownConfig()).sandbox.limits)
      return { ...limits, means: (await bounds?.means()) ?? "none", ended: bounds?.ended(scope()) ?? [] }
    },
    async dropped() {
      const { sandbox: own, providerVariables: withheld } = await ownConfig()
      return droppedVariables(env, { named: own.env ?? [], withheld, isShared })
    },
  }
}
