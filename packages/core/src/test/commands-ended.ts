import { readdir, readlink } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"

/**
 * Resolves when no process has the directory as its working directory. After a simulated crash the commands of the host
 * still run, and would disturb the next host. Works only on Linux.
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
