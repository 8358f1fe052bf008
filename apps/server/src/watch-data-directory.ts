import { statSync } from "node:fs"

/** How often the directory is checked (ms). */
const lookEveryMs = 2_000

/**
 * Resolves when the directory was removed, moved or replaced since the call, because later writes of the service would
 * be lost. Does not keep the process alive.
 */
export function untilRemoved(directory: string, everyMs = lookEveryMs): Promise<void> {
  const own = identityOf(directory)
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isStill(directory, own)) return
      clearInterval(timer)
      resolve()
    }, everyMs)
    timer.unref()
  })
}

function isStill(directory: string, own: string): boolean {
  try {
    return identityOf(directory) === own
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null
    // A disk that does not answer for a moment does not count as a removal.
    return code !== "ENOENT" && code !== "ENOTDIR"
  }
}

function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true })
  return `${dev}:${ino}`
}
