import { totalmem } from "node:os"
import { z } from "zod"

const KiB = 1024
const GiB = KiB ** 3
const units: Readonly<Record<string, number>> = { KiB, MiB: KiB ** 2, GiB, TiB: KiB ** 4 }

const sizeForm = /^(\d{1,15}(?:\.\d{1,3})?) ?([KMGT]iB)$/

/** Bytes, or words like "8 GiB"; at least 1 MiB. */
const Size = z
  .union([z.int().min(KiB ** 2), z.string().regex(sizeForm)], { error: 'write a size as "8 GiB" or "512 MiB"' })
  .refine((size) => bytesOf(size) >= KiB ** 2, { error: "write 1 MiB or more" })

/** Fewer would not even run a shell with a pipe. */
const Processes = z.int().min(8).max(4_000_000)

/**
 * `sandbox.limits` in docket.json: what commands use at most. A project's own file can only lower what one command may.
 */
export const LimitsConfig = z.strictObject({
  /** For each command, with all that it starts. */
  command: z
    .strictObject({
      /** At once, threads counted. */
      processes: Processes.optional(),
      memory: Size.optional(),
      /** Open at once in one process. */
      files: z.int().min(64).max(1_000_000_000).optional(),
      /** What it writes to disks in all. */
      written: Size.optional(),
    })
    .optional(),
  /** For all commands together that run at once. */
  all: z.strictObject({ processes: Processes.optional(), memory: Size.optional() }).optional(),
  /** What commands leave free on a disk. */
  free: Size.optional(),
})
export type LimitsConfig = z.infer<typeof LimitsConfig>

/** What commands may use, in bytes and numbers. */
export interface Limits {
  command: { processes: number; memory: number; files: number; written: number }
  all: { processes: number; memory: number }
  /** Bytes; null for 1 GiB or 3 % of the disk, whichever is more. */
  free: number | null
}

type CommandKey = keyof Limits["command"]

/** What holds where nothing is set, on a machine with so much memory (bytes). */
export function usualLimits(memory: number): Limits {
  return {
    command: { processes: 1_024, memory: Math.floor(memory / 2), files: 65_536, written: 20 * GiB },
    all: { processes: 4_096, memory: Math.floor((memory / 4) * 3) },
    free: null,
  }
}

/** The limits as they are set, else the usual ones. */
export function limitsOf({ command, all, free }: LimitsConfig = {}, memory = machineMemory()): Limits {
  const usual = usualLimits(memory)
  return {
    command: {
      processes: command?.processes ?? usual.command.processes,
      memory: command?.memory === undefined ? usual.command.memory : bytesOf(command.memory),
      files: command?.files ?? usual.command.files,
      written: command?.written === undefined ? usual.command.written : bytesOf(command.written),
    },
    all: {
      processes: all?.processes ?? usual.all.processes,
      memory: all?.memory === undefined ? usual.all.memory : bytesOf(all.memory),
    },
    free: free === undefined ? usual.free : bytesOf(free),
  }
}

/** The user's limits, lowered by what a project says. */
export function tightenLimits(own: LimitsConfig = {}, project: LimitsConfig = {}): LimitsConfig {
  const allowed = limitsOf(own).command
  const lower = commandKeys(project).filter((key) => bytesOf(project.command?.[key] ?? 0) < allowed[key])
  const lowered = Object.fromEntries(lower.map((key) => [key, project.command?.[key]]))
  return { ...own, ...((own.command || lower.length > 0) && { command: { ...own.command, ...lowered } }) }
}

/** The keys of a project's limits that would raise one, or are not a project's to set. */
export function raisingKeys(project: LimitsConfig, own: LimitsConfig = {}): string[][] {
  const allowed = limitsOf(own).command
  return [
    ...commandKeys(project).flatMap((key) =>
      bytesOf(project.command?.[key] ?? 0) > allowed[key] ? [["command", key]] : [],
    ),
    ...(project.all === undefined ? [] : [["all"]]),
    ...(project.free === undefined ? [] : [["free"]]),
  ]
}

const names: readonly CommandKey[] = ["processes", "memory", "files", "written"]

function commandKeys({ command }: LimitsConfig): CommandKey[] {
  return names.filter((key) => command?.[key] !== undefined)
}

function bytesOf(size: number | string): number {
  if (typeof size === "number") return size
  const [, amount = "", unit = ""] = sizeForm.exec(size) ?? []
  return Math.floor(Number(amount) * (units[unit] ?? 0))
}

/** Bytes that this process may use: what its container has, else the machine. */
export function machineMemory(): number {
  const held = process.constrainedMemory()
  return held > 0 ? Math.min(held, totalmem()) : totalmem()
}
