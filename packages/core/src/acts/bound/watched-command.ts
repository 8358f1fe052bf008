import type { LimitName, LimitOver } from "../../ground/schema/index.ts"
import type { Limits } from "../../ground/schema/limits-config.ts"
import type { CommandGroup } from "./command-group.ts"

/** A running command, as the thread that watches it knows it. */
export interface WatchedCommand {
  id: string
  /** Its first process, which leads its process group; in the sandbox the program of the sandbox. */
  pid: number
  scope: string
  limits: Limits
  /** Of all workspaces together. */
  total: Limits["all"]
  mark: string
  isHeld: boolean
  places: readonly string[]
  /** Just before it was started (epoch ms), with the free bytes of each disk of its places. */
  began: { at: number; free: ReadonlyMap<number, number> }
  /** Null where the kernel does not count for us. */
  group: CommandGroup | null
  /** Two numbers: the limit that was gone over, and whether all commands together did. */
  verdict: Int32Array
}

export type ToWatch = { type: "add"; command: WatchedCommand } | { type: "ended"; id: string }

export type FromWatch =
  /** It looks from now on. */
  | { type: "ready" }
  | { type: "over"; id: string; over: LimitOver }
  /** Nothing of it runs any more. */
  | { type: "gone"; id: string }

const names: readonly LimitName[] = ["processes", "memory", "written", "free"]

export function createVerdict(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/** The first verdict counts. It is there before anything is ended, so whoever sees the end sees it too. */
export function judge(verdict: Int32Array, { limit, scope }: Pick<LimitOver, "limit" | "scope">): void {
  if (Atomics.load(verdict, 0) !== 0) return
  Atomics.store(verdict, 1, scope === "all" ? 1 : 0)
  Atomics.store(verdict, 0, names.indexOf(limit) + 1)
}

export function verdictOf(verdict: Int32Array): Pick<LimitOver, "limit" | "scope"> | null {
  const limit = names[Atomics.load(verdict, 0) - 1]
  return limit === undefined ? null : { limit, scope: Atomics.load(verdict, 1) === 1 ? "all" : "command" }
}

/** What a limit is set to. */
export function limitValue({ limit, scope }: Pick<LimitOver, "limit" | "scope">, limits: Limits, free: number): number {
  if (limit === "free") return free
  if (limit === "written") return limits.command.written
  return scope === "all" ? limits.all[limit] : limits.command[limit]
}
