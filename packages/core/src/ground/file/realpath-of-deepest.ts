import { lstat, readlink, realpath } from "node:fs/promises"
import path from "node:path"
import { errorCode } from "../error/error-code.ts"

/** Linux gives up after 40 links (path_resolution(7)). */
const MAX_LINKS = 40

/**
 * The real path of the deepest part that exists, with the rest appended. A dangling symbolic link counts as what it
 * points to, because writing through it would create that.
 * @param links how many links were followed on the way here
 */
export async function realpathOfDeepest(absolute: string, links = 0): Promise<string> {
  const real = await existing(absolute, links)
  const parent = path.dirname(absolute)
  if (real !== null || parent === absolute) return real ?? absolute
  return ofMissing(absolute, { links, above: () => realpathOfDeepest(parent, links) })
}

/** `realpathOfDeepest` of several paths at one moment: a directory that they share is looked at once. */
export function realpathsOfDeepest(paths: readonly string[]): Promise<string[]> {
  const known = new Map<string, Promise<Place>>()
  const look = async (absolute: string): Promise<Place> => {
    const parent = path.dirname(absolute)
    if (parent === absolute) return { real: absolute, isThere: true }
    const above = await place(parent)
    if (!above.isThere) return { real: path.join(above.real, path.basename(absolute)), isThere: false }
    const real = await existing(absolute, 0)
    if (real !== null) return { real, isThere: true }
    return { real: await ofMissing(absolute, { links: 0, above: async () => above.real }), isThere: false }
  }
  const place = (absolute: string): Promise<Place> => {
    const looking = known.get(absolute) ?? look(absolute)
    known.set(absolute, looking)
    return looking
  }
  return Promise.all(paths.map(async (absolute) => (await place(absolute)).real))
}

interface Place {
  real: string
  isThere: boolean
}

/** Null when there is nothing at the path. */
async function existing(absolute: string, links: number): Promise<string | null> {
  try {
    return await realpath(absolute)
  } catch (error) {
    const code = errorCode(error)
    if (code === "ELOOP" || links > MAX_LINKS)
      throw new Error(`${absolute} is a loop of symbolic links.`, { cause: error })
    if (code === "ENAMETOOLONG") throw new Error("The path is too long.", { cause: error })
    if (code === "ENOENT" || code === "ENOTDIR") return null
    throw error
  }
}

/** The path that a missing one would have; `above` gives the real path of the directory above it. */
async function ofMissing(absolute: string, { links, above }: { links: number; above(): Promise<string> }) {
  const link = await linkTarget(absolute)
  if (link === null) return path.join(await above(), path.basename(absolute))
  return realpathOfDeepest(path.resolve(await above(), link), links + 1)
}

async function linkTarget(absolute: string): Promise<string | null> {
  try {
    return (await lstat(absolute)).isSymbolicLink() ? await readlink(absolute) : null
  } catch {
    return null
  }
}
