import { opendir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Most entries of an agents directory that are looked at, and most levels below it. */
export const agentFileLimits = { entries: 1_000, depth: 8 }

export interface AgentFiles {
  /** Paths relative to the directory, with `/`, sorted. */
  names: string[]
  /** Why there may be more; null when these are all. */
  problem: string | null
}

/** The `*.md` files of an agents directory and those below it, links followed. None when it is not there. */
export async function listAgentFiles(directory: string): Promise<AgentFiles> {
  const names: string[] = []
  let entries = 0
  let problem: string | null = null
  const visit = async (below: string, depth: number): Promise<void> => {
    const levels: string[] = []
    for await (const entry of await opendir(join(directory, below))) {
      if (++entries > agentFileLimits.entries) {
        problem = `holds more than ${agentFileLimits.entries} entries; only so many are looked at`
        break
      }
      const name = below === "" ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(join(directory, name)))))
        levels.push(name)
      else if (entry.name.endsWith(".md")) names.push(name)
    }
    for (const level of levels.sort()) {
      if (entries > agentFileLimits.entries) return
      if (depth < agentFileLimits.depth) await visit(level, depth + 1)
      else problem = `is nested more than ${agentFileLimits.depth} levels deep; what is below is not looked at`
    }
  }
  try {
    await visit("", 0)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error
    if (code !== "ENOENT" && code !== "ENOTDIR") problem = `cannot be read (${String(code)}); check its permissions`
  }
  return { names: names.sort(), problem }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
