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

/** With fewer processes, not even a shell with a pipe would run. */
const Processes = z.int().min(8).max(4_000_000)

/**
 * `sandbox.limits` in docket.json: what commands use at most. A project's own file can only lower what one command may.
 */
export const LimitsConfig = z.strictObject({
  /** For each command, including everything that it starts. */
  command: z
    .strictObject({
      /** Most processes at once; threads count too. */
      processes: Processes.optional(),
      memory: Size.optional(),
      /** Most open files in one process. */
      files: z.int().min(64).max(1_000_000_000).optional(),
      /** Most bytes that the command writes to disks in all. */
      written: Size.optional(),
    })
    .optional(),
  /** For all commands together that run at the same time. */
  all: z.strictObject({ processes: Processes.optional(), memory: Size.optional() }).optional(),
  /** The space that commands must leave free on a disk. */
  free: Size.optional(),
})
export type LimitsConfig = z.infer<typeof LimitsConfig>

/** How much commands may use, in bytes and numbers. */
export interface Limits {
  command: { processes: number; memory: number; files: number; written: number }
  all: { processes: number; memory: number }
  /** Bytes; null for 1 GiB or 3 % of the disk, whichever is more. */
  free: number | null
}

type CommandKey = keyof Limits["command"]

/** The default limits on a machine with this much memory (bytes). */
export function usualLimits(memory: number): Limits {
  return {
    command: { processes: 1_024, memory: Math.floor(memory / 2), files: 65_536, written: 20 * GiB },
    all: { processes: 4_096, memory: Math.floor((memory / 4) * 3) },
    free: null,
  }
}

/** The configured limits, with defaults for those that are not set. */
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

/** The user's own limits, lowered where those of a project are lower. */
export function tightenLimits(own: LimitsConfig = {}, project: LimitsConfig = {}): LimitsConfig {
  const allowed = limitsOf(own).command
  const lower = commandKeys(project).filter((key) => bytesOf(project.command?.[key] ?? 0) < allowed[key])
  const lowered = Object.fromEntries(lower.map((key) => [key, project.command?.[key]]))
  return { ...own, ...((own.command || lower.length > 0) && { command: { ...own.command, ...lowered } }) }
}

/** The keys of a project's limits that would raise one of the user's own, or that no project may set. */
export function raisingKeys(own: LimitsConfig = {}, project: LimitsConfig = {}): string[][] {
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

/** The bytes of memory that this process may use: those of its container, else of the machine. */
export function machineMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
