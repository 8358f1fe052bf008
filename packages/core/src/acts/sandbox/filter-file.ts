import { randomUUID } from "node:crypto"
import { mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs"
import path from "node:path"

/** A filter of system calls as an open file, from which bubblewrap reads it; nothing of it stays in the directory. */
export function openFilter(root: string, filter: Buffer): number {
  const file = path.join(root, `system-calls-${randomUUID()}.bpf`)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  writeFileSync(file, filter, { mode: 0o600, flag: "wx" })
  try {
    return openSync(file, "r")
  } finally {
    unlinkSync(file)
  }
}

/** Whether a file in the sandbox's own directory is such a filter, which a service left that was killed. */
export function isFilterFile(name: string): boolean {
  return /^system-calls-.+\.bpf$/.test(name)
}
