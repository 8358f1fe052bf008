import { execFileSync } from "node:child_process"

/** `nobody`, on most systems. */
const nobody = 65_534

/** Runs as a service does that is not root, with this directory and all in it as its own. */
export async function asNobody<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const { seteuid, geteuid } = process
  if (geteuid?.() !== 0 || seteuid === undefined) return await work()
  execFileSync("chown", ["-R", `${nobody}:${nobody}`, directory])
  seteuid(nobody)
  try {
    return await work()
  } finally {
    seteuid(0)
  }
}
