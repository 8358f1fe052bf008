import { readdir, readlink } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"

/**
 * Resolves when no process works in the directory any more. A host that a test lets die is still there: what its commands
 * do would come after the work of the next host. Only Linux tells where a process works.
 */
export async function commandsEnded(directory: string): Promise<void> {
  if (process.platform !== "linux") return
  while (await isWorkedIn(directory)) await delay(10)
}

async function isWorkedIn(directory: string): Promise<boolean> {
  for (const id of await readdir("/proc")) {
    const place = /^\d+$/.test(id) ? await readlink(`/proc/${id}/cwd`).catch(() => null) : null
    if (place === directory || place?.startsWith(`${directory}/`)) return true
  }
  return false
}
