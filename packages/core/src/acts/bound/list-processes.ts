import { readdirSync, readFileSync } from "node:fs"
import { setImmediate as breathe } from "node:timers/promises"

/** A process, as /proc tells of it. */
export interface ProcessFacts {
  pid: number
  /** Of its program. */
  name: string
  parent: number
  group: number
  /** It has ended, and its parent has not asked for that. */
  zombie: boolean
  threads: number
  /** Ticks since the machine started. */
  started: number
}

/** Processes that are looked at in one go, about 15 µs each. */
const atOnce = 200

/** All processes. Read synchronously: the kernel answers from memory, and a thread for each would cost ten times as much. */
export async function listProcesses(): Promise<ProcessFacts[]> {
  const facts: ProcessFacts[] = []
  for (const [index, pid] of processIDs().entries()) {
    if (index % atOnce === atOnce - 1) await breathe()
    const read = readStat(pid)
    if (read !== null) facts.push(read)
  }
  return facts
}

/** The same in one go, for a thread that has nothing else to do. */
export function listProcessesAtOnce(): ProcessFacts[] {
  return processIDs().flatMap((pid) => readStat(pid) ?? [])
}

function processIDs(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** Null when it has ended. */
export function readStat(pid: number): ProcessFacts | null {
  const facts = readProc(pid, "stat")
  if (facts === "") return null
  // pid (name) state ppid pgrp …, the 20th is the number of threads, the 22nd the start time; the name may hold spaces
  // and parentheses: proc_pid_stat(5).
  const name = facts.slice(facts.indexOf("(") + 1, facts.lastIndexOf(")"))
  const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ")
  const [state, parent, group] = fields
  const zombie = state === "Z" || state === "X" || !state
  return {
    ...{ pid, name, zombie },
    ...{ parent: Number(parent), group: Number(group), threads: Number(fields[17]), started: Number(fields[19]) },
  }
}

/** What a file of a process says; empty when it has ended, or may not be read. */
export function readProc(pid: number, file: string): string {
  try {
    // As UTF-8 Node reads a file in one go, in half the time. A name that is none changes, which nobody reads.
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}
