import type { LimitOver, SandboxLimits } from "../schema/index.ts"

const means = {
  "cgroup v2": "The system holds commands to these (control groups).",
  "cgroup v1": "The system holds commands to these (control groups, version 1).",
  watch:
    "What commands use is counted several times a second, for Docket can make no control groups here: for a moment one can have more.",
  none: "Nothing holds commands to these on this machine.",
} satisfies Record<SandboxLimits["means"], string>

/** How the limits are enforced, for people. */
export function meansMessage(of: SandboxLimits["means"]): string {
  return means[of]
}

export interface LimitRow {
  name: string
  value: string
}

/** The limits of commands, for people. */
export function limitRows({ command, all, free }: Omit<SandboxLimits, "means" | "ended">): LimitRow[] {
  return [
    { name: "Processes and threads", value: `${count(command.processes)} a command, ${count(all.processes)} together` },
    { name: "Memory", value: `${sizeLabel(command.memory)} a command, ${sizeLabel(all.memory)} together` },
    { name: "Open files", value: `${count(command.files)} a process` },
    { name: "Written to disks", value: `${sizeLabel(command.written)} a command` },
    { name: "Left free on a disk", value: free === null ? "1 GiB or 3 %, whichever is more" : sizeLabel(free) },
  ]
}

/** Why a command was ended, for people. */
export function endedMessage({ limit, scope, value }: LimitOver): string {
  const whose = scope === "all" ? "of all commands together" : "of one command"
  switch (limit) {
    case "processes":
      return `more than ${count(value)} processes and threads ${whose}`
    case "memory":
      return `more than ${sizeLabel(value)} of memory ${whose}`
    case "written":
      return `more than ${sizeLabel(value)} written by one command`
    case "free":
      return `less than ${sizeLabel(value)} left free on a disk`
  }
}

const units = ["KiB", "MiB", "GiB", "TiB"]

/** Bytes for people: "1.5 GiB". */
export function sizeLabel(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 1), units.length)
  const amount = bytes / 1024 ** power
  return `${amount.toLocaleString("en", { maximumFractionDigits: amount < 100 ? 1 : 0 })} ${units[power - 1]}`
}

/** What a command did when it exceeded a limit, as the rest of a sentence. */
function overWords({ limit, scope, value }: LimitOver): string {
  const size = sizeLabel(value)
  const number = count(value)
  const together = "all commands that run now together"
  switch (limit) {
    case "processes":
      return scope === "all"
        ? `${together} had more than ${number} processes and threads, and this one had the most`
        : `it had more than ${number} processes and threads at once`
    case "memory":
      return scope === "all"
        ? `${together} used more than ${size} of memory, or the machine had no more, and this one used the most`
        : `it used more than ${size} of memory`
    case "written":
      return `it wrote more than ${size} to disks`
    case "free":
      return `it left less than ${size} free on a disk`
  }
}

/** Why a command was ended, and what to do, for the model. */
export function limitNote(over: LimitOver): string {
  const key = over.limit === "free" ? "free" : `${over.scope}.${over.limit}`
  return `The command was ended with all that it started: ${overWords(over)}. Do it with less (fewer jobs at a time, smaller pieces, less kept). If the task needs more, tell the user: "sandbox.limits.${key}" in their own docket.json sets this limit.`
}

const tooManyFiles = /too many open files|\b(?:EMFILE|ENFILE)\b/i

/** Why a failed command may have failed; null where its output does not point to the limit of open files. */
export function openFilesNote(output: string, files: number): string | null {
  if (!tooManyFiles.test(output)) return null
  return `[limits: one process has at most ${count(files)} files open here. If the task needs more, tell the user: "sandbox.limits.command.files" in their own docket.json sets this limit.]`
}

function count(number: number): string {
  return number.toLocaleString("en")
}
