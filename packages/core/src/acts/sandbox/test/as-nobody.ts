import { execFileSync } from "node:child_process"

/** The user id of `nobody` on most systems. */
const nobody = 65_534

/** Whether tests can change their user id. */
export const isRoot: boolean = process.geteuid?.() === 0

/** Gives a directory and its contents to the user of `asNobody`. */
export function giveToNobody(directory: string): void {
  if (isRoot) execFileSync("chown", ["-hR", `${nobody}:${nobody}`, directory])
}

/** Runs `work` like a service that is not root. */
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
