import { realpathSync } from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import { runGit } from "../../ground/git/run-git.ts"
import { commonDirectory } from "./git-mounts.ts"
import { isThere } from "./is-there.ts"

const maxBytes = 256 * 1024
/** Where none of the usual files has one of these words, git need not be asked. */
const words = /hookspath|include/i

export interface NamedBySettings {
  /** Absolute and real: what commands may only read. */
  there: string[]
  /** Absolute: what they may not make. */
  missing: string[]
}

interface NamedBySettingsDeps {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

/** What a person's own settings of git name in a worktree: directories of hooks, and other files of settings. */
export async function namedBySettings(worktree: string, { home, env }: NamedBySettingsDeps): Promise<NamedBySettings> {
  const common = commonDirectory(worktree)
  if (common === null) return { there: [], missing: [] }
  const hooks = path.join(common, "hooks")
  const usual = ["config", "config.worktree"].map((name) => path.join(common, name))
  const ofUser = [".gitconfig", ".config/git/config"].map((name) => path.join(home, name))
  const isAsked = [...usual, ...ofUser].some((file) => words.test(textOf(file)))
  const named = [...(isAsked ? await namesIn(worktree, { home, env }) : []), hooks]
  const there = named.flatMap((file) => realOf(file) ?? [])
  const isInside = (file: string) => file !== worktree && isWithin(worktree, file) && !isWithin(common, file)
  return {
    there: [...new Set(there)].filter(isInside),
    missing: named
      .filter((file) => !isThere(file))
      .map((file) => path.normalize(file))
      .filter(isInside),
  }
}

/** Not shortened: behind a link, `..` leads elsewhere. */
async function namesIn(worktree: string, { home, env }: NamedBySettingsDeps): Promise<string[]> {
  // Where git cannot read them, it starts nothing by them.
  const output = await runGit(["config", "--list", "--show-origin", "-z"], { cwd: worktree, env }).catch(() => "")
  const fields = output.toString().split("\0")
  const names: string[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [origin = "", entry = ""] = fields.slice(at, at + 2)
    if (!origin.startsWith("file:")) continue
    const file = under(worktree, origin.slice("file:".length))
    const [key = "", value = ""] = entry.split("\n", 2)
    const name = value.replace(/^~\//, `${home}/`)
    names.push(file)
    if (key === "core.hookspath" && name !== "") names.push(...hooksOf(under(worktree, name)))
    if (/^include(?:if\..*)?\.path$/s.test(key) && name !== "") names.push(under(path.dirname(file), name))
  }
  return [...new Set(names)]
}

/** The hooks in husky's directory `_` start those beside it. */
function hooksOf(directory: string): string[] {
  return path.basename(directory) === "_" ? [directory, path.dirname(directory)] : [directory]
}

function under(directory: string, name: string): string {
  return path.isAbsolute(name) ? name : `${directory}/${name}`
}

function realOf(file: string): string | null {
  try {
    return realpathSync.native(file)
  } catch {
    return null
  }
}

function textOf(file: string): string {
  try {
    return readBoundedFileSync(file, maxBytes).toString()
  } catch (error) {
    // One that is too large may have the words.
    return error instanceof Error && "code" in error ? "" : "include"
  }
}
