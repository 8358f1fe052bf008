import path from "node:path"
import { namedScripts, readScript } from "@docket/core/hook-scripts"
import type { HookSet, TrustedScripts } from "@docket/core/hook-sets"
import type { HookHandler } from "@docket/core/schema"

/** Where a hook runs. */
export interface ScriptPlace {
  /** What its command knows as the project; absolute and real. */
  projectDirectory: string
  cwd: string
  /** Directories that it reads besides those of the session. */
  readable: string[]
}

/** The session in which a hook runs: absolute and real. */
interface SessionPlace {
  /** The checkout, which a task may have for itself. */
  worktree: string
  cwd: string
}

/**
 * Where a hook finds the scripts that it names as the user trusted them: in the checkout in which the session works, else in
 * the project's own. A script that it names from where it runs is only looked for where it was trusted, so that none of the
 * same name elsewhere takes its place. Or why it may not run.
 */
export async function scriptPlace(
  { scripts }: Pick<HookSet, "scripts">,
  handler: HookHandler,
  { worktree, cwd }: SessionPlace,
): Promise<ScriptPlace | { problem: string }> {
  if (scripts === null) return { projectDirectory: worktree, cwd, readable: [] }
  let problem = ""
  for (const base of new Set([worktree, scripts.top])) {
    const checked = await check(scripts, handler, base)
    if ("problem" in checked) {
      problem = checked.problem
      continue
    }
    const at = directoryOf(checked, [
      path.join(base, path.relative(worktree, cwd)),
      path.join(base, path.relative(scripts.top, scripts.level)),
      base,
    ])
    const places = [...checked.found.map(({ file }) => path.dirname(file)), ...(at === null ? [] : [at])]
    return {
      projectDirectory: base,
      cwd: at ?? cwd,
      readable: base === worktree ? [] : [...new Set(places)],
    }
  }
  return { problem }
}

interface Checked {
  /** The trusted scripts that the command names. */
  found: { file: string; text: string; from: "project" | "here" }[]
}

/** Whether what a command names as its scripts is in a checkout as it was trusted. */
async function check(
  { top, level, trusted }: TrustedScripts,
  handler: HookHandler,
  base: string,
): Promise<Checked | { problem: string }> {
  const found: Checked["found"] = []
  for (const named of namedScripts([handler], { top: base, level: path.join(base, path.relative(top, level)) })) {
    const name = path.relative(base, named.file)
    const read = await readScript(base, named.file)
    if (read === null) {
      if (trusted.has(name)) return { problem: `${name} is not there any more.` }
      continue
    }
    if (read.sha256 === null)
      return { problem: `${name} cannot be looked at before it runs: it is too large, or a link to what is not there.` }
    if (trusted.get(path.relative(base, read.real)) !== read.sha256)
      return { problem: `${name} changed since you trusted the hooks of this project.` }
    found.push(named)
  }
  return { found }
}

/** Where all that is named from where the command runs is what was trusted; null where that does not matter. */
function directoryOf({ found }: Checked, places: readonly [string, string, string]): string | null {
  const named = found.filter(({ from }) => from === "here")
  if (named.length === 0) return null
  const files = new Set(named.map(({ file }) => file))
  return places.find((place) => named.every(({ text }) => files.has(path.resolve(place, text)))) ?? places[2]
}
