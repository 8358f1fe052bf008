import { statfsSync } from "node:fs"
import type { ProcessFacts } from "./list-processes.ts"
import { readProc } from "./list-processes.ts"

/** x86 and most others; a kernel with larger pages only makes the first count smaller, never the second. */
const pageBytes = 4_096

/**
 * Bytes of memory that processes have for themselves. What several share after a fork is counted for each of them, so
 * this is the most that it can be: `sharedMemoryUse` knows better and costs more.
 */
export function memoryUse(processes: readonly ProcessFacts[]): number {
  return sum(processes, ({ pid }) => {
    // size resident shared …, in pages: proc_pid_statm(5).
    const [, resident = 0, shared = 0] = readProc(pid, "statm").split(" ").map(Number)
    return (resident - shared) * pageBytes
  })
}

/** The same, each page counted once. */
export function sharedMemoryUse(processes: readonly ProcessFacts[]): number {
  return sum(processes, ({ pid }) => {
    const lines = readProc(pid, "smaps_rollup").matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)
    return sum([...lines], ([, kilobytes]) => Number(kilobytes) * 1_024)
  })
}

/** Bytes of files that lie in memory, in file systems that only the process `inside` and its like see. */
export function memoryFiles(inside: number): number {
  const mounts = readProc(inside, "mountinfo").split("\n")
  const places = mounts.flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ")
    const [, , , , at = "", options = ""] = before.split(" ")
    return after.startsWith("tmpfs ") && options.split(",").includes("rw") ? [at] : []
  })
  return sum(places, (place) => {
    try {
      const { blocks, bfree, bsize } = statfsSync(`/proc/${inside}/root${place}`)
      return (blocks - bfree) * bsize
    } catch {
      return 0
    }
  })
}

/** Bytes that processes wrote to disks, with those of their children that they waited for: proc_pid_io(5). */
export function writtenBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(/^write_bytes: (\d+)$/m.exec(readProc(pid, "io"))?.[1] ?? 0))
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((all, item) => all + amount(item), 0)
}
