import { readdirSync, readFileSync } from "node:fs"
import { setImmediate as breathe } from "node:timers/promises"

/** A process as /proc describes it. */
export interface ProcessFacts {
  pid: number
  /** Name of its program. */
  name: string
  parent: number
  group: number
  /** It has ended, but its parent has not collected its exit code. */
  zombie: boolean
  threads: number
  /** Ticks since the machine started. */
  started: number
}

/** How many processes are read before other work gets a turn; each takes about 15 µs. */
const atOnce = 200

/**
 * All processes. Reads synchronously: the kernel answers from memory, and asynchronous reads cost ten times as much.
 */
export async function listProcesses(): Promise<ProcessFacts[]> {
  const facts: ProcessFacts[] = []
  for (const [index, pid] of processIDs().entries()) {
    if (index % atOnce === atOnce - 1) await breathe()
    const read = readStat(pid)
    if (read !== null) facts.push(read)
  }
  return facts
}

/** Like `listProcesses` but without pauses, for a thread that has nothing else to do. */
export function listProcessesAtOnce(): ProcessFacts[] {
  return processIDs().flatMap((pid) => readStat(pid) ?? [])
}

function processIDs(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** Null when the process has ended. */
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
    pid,
    name,
    parent: Number(parent),
    group: Number(group),
    zombie,
    threads: Number(fields[17]),
    started: Number(fields[19]),
  }
}

/** The content of a /proc file of a process; empty when the process has ended or the file may not be read. */
export function readProc(pid: number, file: string): string {
  try {
    // With "utf8" Node reads the file in one go, in half the time. Invalid UTF-8 gets replaced, which does no harm
    // here.
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}
