import { realpathSync } from "node:fs"
import { isWithin } from "../../ground/file/is-within.ts"
import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import type { ClosedFiles, ConfinedLaunch, Launch, Sandbox, SandboxPlace } from "./sandbox.ts"

/** How the programs of a session run. */
export type Confinement =
  /** As they are, with all rights of the service. */
  | { kind: "none" }
  | {
      kind: "sandbox"
      place: SandboxPlace
      /** Whether nothing is known that this machine's sandbox lets through. */
      isFirm: boolean
      /** Whether one may run outside when somebody allows it. */
      mayLeave: boolean
      confine(launch: Launch, closed?: ClosedFiles): Promise<ConfinedLaunch>
      /** Hosts that its programs wanted to reach since then (epoch ms) and may not. */
      refusedHosts(since: number): string[]
    }
  /** The sandbox cannot hold this project: each program needs the leave to run outside. */
  | { kind: "outside"; reason: string }
  /** Not at all. */
  | { kind: "refused"; reason: string }

export const unconfined: Confinement = { kind: "none" }

/** Where a session works, as its rows say. */
interface ConfinedWork {
  projectID: string
  worktree: string
  directory: string
  /** Can be read besides, as what the agent's skills bring. */
  outputDirectory: string
  /** Real paths. */
  skillDirectories?: readonly string[]
  /** What its programs may leave, see `SandboxPlace`. */
  allowed?: SandboxPlace["allowed"]
}

/** How programs of a session run, by the configuration of its project. */
export async function confinementOf(
  sandbox: Sandbox,
  { mode = "on", network, write = [], hide = [], env = [] }: SandboxConfig,
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
    readable: [...realPaths(work.outputDirectory), ...skillPlaces(work)],
    writable: write.flatMap(realPaths),
    hidden: hide,
    variables: env,
    hosts: network?.allow ?? [],
    ...(work.allowed && { allowed: work.allowed }),
  }
  const refusal = sandbox.refusal(place)
  if (refusal !== null) return { kind: isRequired ? "refused" : "outside", reason: refusal }
  return {
    kind: "sandbox",
    place,
    isFirm: state === "on",
    mayLeave: !isRequired,
    confine: (launch, closed) => sandbox.confine(launch, place, closed),
    refusedHosts: (since) => sandbox.refusedHosts(place, since),
  }
}

/** What skills bring from outside the worktree, as far as it still lies where it did: a link in its place leads nowhere. */
function skillPlaces({ worktree, skillDirectories = [] }: ConfinedWork): string[] {
  const top = realpathSync(worktree)
  const isInPlace = (directory: string) => realPaths(directory)[0] === directory
  return skillDirectories.filter((directory) => !isWithin(top, directory) && isInPlace(directory))
}

/** What is not there is not shown. */
function realPaths(file: string): string[] {
  try {
    return [realpathSync(file)]
  } catch {
    return []
  }
}
