import { realpathSync } from "node:fs"
import type { SandboxConfig } from "../config/sandbox-config.ts"
import type { ConfinedLaunch, Launch, Sandbox, SandboxPlace } from "./sandbox.ts"

/** How the programs of a session run. */
export type Confinement =
  /** As they are, with all rights of the service. */
  | { kind: "none" }
  | {
      kind: "sandbox"
      place: SandboxPlace
      /** Whether one may run outside when somebody allows it. */
      mayLeave: boolean
      confine(launch: Launch): Promise<ConfinedLaunch>
      /** Hosts that its programs wanted to reach since then (epoch ms) and may not. */
      refusedHosts(since: number): string[]
    }
  /** The sandbox cannot hold this project: each program needs the leave to run outside. */
  | { kind: "outside"; reason: string }
  /** Not at all. */
  | { kind: "refused"; reason: string }

export const unconfined: Confinement = { kind: "none" }

/** Where a session works, as its rows say. */
export interface ConfinedWork {
  projectID: string
  worktree: string
  directory: string
  /** Can be read besides. */
  outputDirectory: string
}

/** How programs of a session run, by the configuration of its project. */
export async function confinementOf(
  sandbox: Sandbox,
  { mode = "on", network, write = [], hide = [] }: SandboxConfig,
  work: ConfinedWork,
): Promise<Confinement> {
  if (mode === "off") return unconfined
  const { state, reason, remedy } = await sandbox.state()
  const isRequired = mode === "required"
  if (state === "off" || (isRequired && state === "weak")) {
    if (!isRequired) return unconfined
    const why = [reason, remedy].filter(Boolean).join(" ")
    return { kind: "refused", reason: `Commands are only run in the sandbox, and there is none to rely on. ${why}` }
  }
  const place: SandboxPlace = {
    project: work.projectID,
    worktree: realpathSync(work.worktree),
    directory: realpathSync(work.directory),
    readable: [work.outputDirectory].flatMap(realPaths),
    writable: write.flatMap(realPaths),
    hidden: hide,
    hosts: network?.allow ?? [],
  }
  const refusal = sandbox.refusal(place)
  if (refusal !== null) return { kind: isRequired ? "refused" : "outside", reason: refusal }
  return {
    kind: "sandbox",
    place,
    mayLeave: !isRequired,
    confine: (launch) => sandbox.confine(launch, place),
    refusedHosts: (since) => sandbox.refusedHosts(place, since),
  }
}

/** What is not there is not shown. */
function realPaths(file: string): string[] {
  try {
    return [realpathSync(file)]
  } catch {
    return []
  }
}
