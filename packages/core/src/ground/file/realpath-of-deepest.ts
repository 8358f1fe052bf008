import { lstat, readlink, realpath } from "node:fs/promises"
import path from "node:path"

/** Linux gives up after 40 links (path_resolution(7)). */
const MAX_LINKS = 40

/**
 * The real path of what exists, with the rest appended: a dangling symbolic link counts as what it points
 * to, because writing through it would create that.
 */
export async function realpathOfDeepest(absolute: string, links = 0): Promise<string> {
  try {
    return await realpath(absolute)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : ""
    if (code === "ELOOP" || links > MAX_LINKS)
      throw new Error(`${absolute} is a loop of symbolic links.`, { cause: error })
    if (code === "ENAMETOOLONG") throw new Error("The path is too long.", { cause: error })
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error
  }
  const parent = path.dirname(absolute)
  if (parent === absolute) return absolute
  const link = await linkTarget(absolute)
  if (link !== null) return realpathOfDeepest(path.resolve(await realpathOfDeepest(parent, links + 1), link), links + 1)
  return path.join(await realpathOfDeepest(parent, links), path.basename(absolute))
}

async function linkTarget(absolute: string): Promise<string | null> {
  try {
    return (await lstat(absolute)).isSymbolicLink() ? await readlink(absolute) : null
  } catch {
    return null
  }
}
