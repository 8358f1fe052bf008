import { statSync } from "node:fs"

/** How long a service may go on without its data directory (ms). */
const lookEveryMs = 2_000

/**
 * Resolves when the directory is not the one any more that it was at the call: removed, moved away, or another in its
 * place. What a service wrote after that would be lost. Does not keep the process alive.
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
    // A disk that does not answer for a moment is not a removal.
    return code !== "ENOENT" && code !== "ENOTDIR"
  }
}

function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true })
  return `${dev}:${ino}`
}
