import { realpathSync } from "node:fs"
import { isWithin } from "../../ground/file/is-within.ts"
import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import type { ClosedFiles, ConfinedLaunch, Launch, Sandbox, SandboxPlace } from "./sandbox.ts"

/** How the programs of a session run. */
export type Confinement =
  /** Without a sandbox, with all rights of the service. */
  | { kind: "none" }
  | {
      kind: "sandbox"
      place: SandboxPlace
      /** Whether the sandbox of this machine has no known gap. */
      isFirm: boolean
      /** Whether a program may run outside the sandbox when a person allows it. */
      mayLeave: boolean
      confine(launch: Launch, closed?: ClosedFiles): Promise<ConfinedLaunch>
      /** Hosts that its programs tried to reach since then (epoch ms) and may not. */
      refusedHosts(since: number): string[]
    }
  /** The sandbox cannot confine programs in this project: each program needs permission to run outside. */
  | { kind: "outside"; reason: string }
  /** No program may run. */
  | { kind: "refused"; reason: string }

export const unconfined: Confinement = { kind: "none" }

/** The directories of a session according to its rows. */
interface ConfinedWork {
  projectID: string
  worktree: string
  directory: string
  /** Readable in addition, like the directories of the agent's skills. */
  outputDirectory?: string
  /** Real paths. */
  skillDirectories?: readonly string[]
  /** What its programs may leave behind, see `SandboxPlace`. */
  allowed?: SandboxPlace["allowed"]
  /** See `SandboxPlace`. */
  isReadOnly?: true
  /** See `SandboxPlace`. */
  hasOpenNetwork?: true
  /** See `SandboxPlace`; real paths. */
  changes?: readonly string[]
  /** See `SandboxPlace`. */
  home?: string
}

/** How programs of a session run according to the configuration of its project. */
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
    readable: [...(work.outputDirectory === undefined ? [] : realPaths(work.outputDirectory)), ...skillPlaces(work)],
    writable: write.flatMap(realPaths),
    hidden: hide,
    variables: env,
    hosts: network?.allow ?? [],
    ...(work.allowed && { allowed: work.allowed }),
    ...(work.isReadOnly && { isReadOnly: work.isReadOnly }),
    ...(work.hasOpenNetwork && { hasOpenNetwork: work.hasOpenNetwork }),
    ...(work.changes && { changes: work.changes }),
    ...(work.home !== undefined && { home: work.home }),
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

/** Skill directories outside the worktree that still exist there: a link in their place is not followed. */
function skillPlaces({ worktree, skillDirectories = [] }: ConfinedWork): string[] {
  const top = realpathSync(worktree)
  const isInPlace = (directory: string) => realPaths(directory)[0] === directory
  return skillDirectories.filter((directory) => !isWithin(top, directory) && isInPlace(directory))
}

/** Missing files are not mounted. */
function realPaths(file: string): string[] {
  try {
    return [realpathSync(file)]
  } catch {
    return []
  }
}
