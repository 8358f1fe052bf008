import { execFileSync } from "node:child_process"

/** `nobody`, on most systems. */
const nobody = 65_534

/** Whether tests can act for somebody else. */
export const isRoot: boolean = process.geteuid?.() === 0

/** Makes a directory, and all in it, one of who runs `asNobody`. */
export function giveToNobody(directory: string): void {
  if (isRoot) execFileSync("chown", ["-hR", `${nobody}:${nobody}`, directory])
}

/** Runs as a service does that is not root. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const { seteuid } = process
  if (!isRoot || seteuid === undefined) return await work()
  seteuid(nobody)
  try {
    return await work()
  } finally {
    seteuid(0)
  }
}
