import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { root } from "./root.mjs"

/** How often (ms) a holder updates its lock file, and a waiting process checks it. */
const beatMs = 500
/** A holder without an update for this time (ms) is gone, even if another process has its process id by now. */
const goneMs = 15_000

/**
 * Runs work that only one process at a time may do in this folder, such as installing or building. Another process is
 * told who holds the lock, and waits until it ends in any way.
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ lock: string, onWait: (holder: number) => void, directory?: string }} options `lock` names the work; `onWait`
 *   gets the process id, once for each holder
 * @returns {Promise<T>}
 */
export async function alone(work, { lock, onWait, directory = path.join(root, ".docket") }) {
  const file = path.join(directory, `${lock}.lock`)
  await mkdir(path.dirname(file), { recursive: true })
  await take(file, onWait)
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), beatMs)
  const release = () => rm(file, { force: true })
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await release()
  }
}

async function take(file, onWait) {
  let told = null
  for (;;) {
    const lock = await open(file, "wx").catch((error) => {
      if (error.code === "EEXIST") return null
      throw error
    })
    if (lock !== null) {
      await lock.writeFile(String(process.pid))
      await lock.close()
      return
    }
    const holder = await readHolder(file)
    if (holder === null) continue
    if (!holder.isThere) {
      await rm(file, { force: true })
      continue
    }
    if (holder.pid !== told) onWait(holder.pid)
    told = holder.pid
    await sleep(beatMs)
  }
}

/** Null when the file does not exist. */
async function readHolder(file) {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)])
    const pid = Number(text)
    const isUpdated = Date.now() - mtimeMs < goneMs
    // A new lock file is empty for a moment.
    const isThere = isUpdated && (text === "" || runs(pid))
    return { pid, isThere }
  } catch (error) {
    if (error.code === "ENOENT") return null
    throw error
  }
}

function runs(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}
