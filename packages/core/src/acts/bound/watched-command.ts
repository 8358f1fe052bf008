import type { LimitName, LimitOver } from "../../ground/schema/index.ts"
import type { Limits } from "../../ground/schema/limits-config.ts"
import type { CommandGroup } from "./command-group.ts"

/** A running command, as described to the watching thread. Fields without a comment are those of `BoundWork`. */
export interface WatchedCommand {
  id: string
  /** Its first process, which leads its process group; in the sandbox this is the sandbox program. */
  pid: number
  scope: string
  limits: Limits
  /** The limits of all workspaces together. */
  total: Limits["all"]
  processTag: string
  isHeld: boolean
  places: readonly string[]
  /** The time just before its start (epoch ms), and the free bytes of each disk of its places at that time. */
  began: { at: number; free: ReadonlyMap<number, number> }
  /** Null when no control group counts for us. */
  group: CommandGroup | null
  /** Two numbers: which limit was exceeded, and whether all commands together exceeded it. */
  verdict: Int32Array
}

export type ToWatch = { type: "add"; command: WatchedCommand } | { type: "ended"; id: string }

export type FromWatch =
  /** The thread watches from now on. */
  | { type: "ready" }
  | { type: "over"; id: string; over: LimitOver }
  /** No process of the command runs any more. */
  | { type: "gone"; id: string }

const names: readonly LimitName[] = ["processes", "memory", "written", "free"]

export function createVerdict(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/**
 * Stores a verdict; only the first one counts. It is stored before any process is ended, so whoever sees the end can
 * read it.
 */
export function setVerdict(verdict: Int32Array, { limit, scope }: Pick<LimitOver, "limit" | "scope">): void {
  if (Atomics.load(verdict, 0) !== 0) return
  Atomics.store(verdict, 1, scope === "all" ? 1 : 0)
  Atomics.store(verdict, 0, names.indexOf(limit) + 1)
}

export function verdictOf(verdict: Int32Array): Pick<LimitOver, "limit" | "scope"> | null {
  const limit = names[Atomics.load(verdict, 0) - 1]
  return limit === undefined ? null : { limit, scope: Atomics.load(verdict, 1) === 1 ? "all" : "command" }
}

/** The configured value of a limit. */
export function limitValue({ limit, scope }: Pick<LimitOver, "limit" | "scope">, limits: Limits, free: number): number {
  if (limit === "free") return free
  if (limit === "written") return limits.command.written
  return scope === "all" ? limits.all[limit] : limits.command[limit]
}
