import { stat } from "node:fs/promises"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { McpLocal } from "../../ground/schema/mcp-config.ts"
import { namedPaths, readProgram } from "./program-files.ts"

interface ServerPlace {
  /** The checkout in which the session works; absolute and real. */
  worktree: string
  /** The project's own, which people trust; absolute and real. */
  checkout: string
}

/** The command of a server, with what it reads besides the checkout in which it works. */
export interface TrustedCommand {
  command: string[]
  readable: string[]
}

/**
 * The command of a project's server with the files that it names as the user trusted them: in the checkout in which the
 * session works, else in the project's own. An agent may have changed the first, and the server reaches more than its commands.
 *
 * @param trusted SHA-256 (hex) by real path in the project's own checkout
 * @throws Error with why it may not run
 */
export async function trustedCommand(
  config: Pick<McpLocal, "command" | "cwd">,
  trusted: ReadonlyMap<string, string>,
  { worktree, checkout }: ServerPlace,
): Promise<TrustedCommand> {
  let problem = ""
  for (const base of new Set([worktree, checkout])) {
    const checked = await check(config, trusted, { worktree, checkout, base })
    if ("problem" in checked) problem = checked.problem
    else return { ...checked, readable: base === worktree ? [] : await besides(checked.files, checkout) }
  }
  throw new Error(`${problem} Look at what this project brings and trust it again.`)
}

/** Whether what a command names is in a checkout as it was trusted. */
async function check(
  { command, cwd }: Pick<McpLocal, "command" | "cwd">,
  trusted: ReadonlyMap<string, string>,
  { worktree, checkout, base }: ServerPlace & { base: string },
): Promise<{ command: string[]; files: string[] } | { problem: string }> {
  const tops = [...new Set([worktree, checkout])]
  const named = tops.map((top) => namedPaths(top, { command, cwd: path.resolve(worktree, cwd ?? ".") }))
  const files: string[] = []
  const words = [...command]
  for (const [at, paths] of named.entries()) {
    if (paths === null) return { problem: "Its command has more words than are looked at before it may run." }
    for (const { at: word, option, file } of paths) {
      const name = path.relative(tops[at] ?? "", file)
      const found = await readProgram(base, path.join(base, name))
      if (found === null) {
        if (trusted.has(path.join(checkout, name))) return { problem: `${name} is not there any more.` }
        continue
      }
      if (found.sha256 === null)
        return {
          problem: `${name} cannot be looked at before it runs: it is too large, or a link to what is not there.`,
        }
      const sha256 = trusted.get(path.join(checkout, path.relative(base, found.real)))
      if (sha256 === undefined) return { problem: `${name} was not looked at when you trusted the server.` }
      if (sha256 !== found.sha256) return { problem: `${name} changed since you trusted the server.` }
      files.push(path.join(base, name))
      if (base !== tops[at]) words[word] = `${option}${path.join(base, name)}`
    }
  }
  return { command: words, files }
}

/** Where files lie, and the packages that they may load. */
async function besides(files: readonly string[], checkout: string): Promise<string[]> {
  const places = new Set(files.map((file) => path.dirname(file)))
  const above = [...places].flatMap((place) => {
    const parts = path.relative(checkout, place).split(path.sep)
    return parts.map((_, at) => path.join(checkout, ...parts.slice(0, at), "node_modules"))
  })
  const isThere = await Promise.all(
    above.map((one) =>
      stat(one).then(
        (facts) => facts.isDirectory(),
        () => false,
      ),
    ),
  )
  const packages = above.filter((one, at) => isThere[at] && ![...places].some((place) => isWithin(place, one)))
  return [...places, ...new Set(packages)]
}
