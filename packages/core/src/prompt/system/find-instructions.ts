import { glob, realpath } from "node:fs/promises"
import { join, relative } from "node:path"
import { directoriesBetween } from "../../config/load-config.ts"
import { isWithin } from "../../file/is-within.ts"
import { readUpTo } from "../../file/read-bounded-file.ts"
import { defaultRules, evaluatePermission } from "../../rule/index.ts"
import { openChecked } from "../../tool/checked-file.ts"
import { errorCode } from "../../tool/worktree-path.ts"

/** A file whose text is part of the system prompt. */
export interface InstructionFile {
  path: string
  content: string
}

export interface FindInstructionsInput {
  directory: string
  worktree: string
  home: string
  /** Holds the user's own AGENTS.md. Default: `~/.config/docket`. */
  globalDirectory?: string
  /** Absolute paths and globs, as loadConfig gives them. */
  patterns?: readonly string[]
  /** Hears of files that are left out although they are there. */
  onLeftOut?(path: string, why: string): void
}

/** Bytes read of one file, and of all files together. What is over is cut, and said so. */
const fileLimit = 32_768
const totalLimit = 131_072
/** Files that one pattern may add. */
const patternLimit = 20

/** The kinds of instruction file, best first. A directory gives the first kind that it has. */
const kinds = ["AGENTS.md", "CLAUDE.md"]

async function readInstruction(path: string, input: FindInstructionsInput): Promise<InstructionFile | null> {
  try {
    const real = await realpath(path)
    const why = isWithin(input.worktree, path) ? await reasonToLeaveOut(real, input.worktree) : null
    if (why !== null) {
      input.onLeftOut?.(path, why)
      return null
    }
    await using file = await openChecked(real)
    const { size } = await file.stat()
    const text = (await readUpTo(file, fileLimit)).toString("utf8").trim()
    if (text === "" || text.includes("\0")) return null
    const note = size > fileLimit ? `\n\n[Cut after ${fileLimit} of ${size} bytes. Read the file for the rest.]` : ""
    return { path, content: text + note }
  } catch (error) {
    const why = reasonItCannotBeRead(error)
    if (why !== null) input.onLeftOut?.(path, why)
    return null
  }
}

/** Why a file that is there is left out; null when there is none. */
function reasonItCannotBeRead(error: unknown): string | null {
  const code = errorCode(error)
  if (code === "ENOENT" || code === "ENOTDIR") return null
  const reason = error instanceof Error && code === "" ? error.message : `${code}; check its permissions.`
  return `is left out of the instructions, because it cannot be read: ${reason}`
}

/** Why a file of the project is no instruction: its repository could put any file of yours into the prompt. */
async function reasonToLeaveOut(real: string, worktree: string): Promise<string | null> {
  const top = await realpath(worktree)
  if (!isWithin(top, real)) {
    return "is a link that leads out of the project, so it is left out; name the file in the instructions of your global docket.json"
  }
  const asked = evaluatePermission("read", relative(top, real), defaultRules()).action !== "allow"
  return asked ? "leads to a file that may hold secrets, so it is left out of the instructions" : null
}

async function firstOf(paths: readonly string[], input: FindInstructionsInput): Promise<InstructionFile | null> {
  for (const path of paths) {
    const found = await readInstruction(path, input)
    if (found) return found
  }
  return null
}

async function expandPattern(pattern: string): Promise<string[]> {
  if (!/[*?[{]/.test(pattern)) return [pattern]
  const paths: string[] = []
  for await (const path of glob(pattern)) {
    paths.push(path)
    if (paths.length === patternLimit) break
  }
  return paths.sort()
}

/**
 * Instruction files for a session, general ones first: the user's own AGENTS.md (else `~/.claude/CLAUDE.md`),
 * then AGENTS.md or CLAUDE.md of each directory from the worktree's root down, then what the config's
 * patterns name. Files that cannot be read, links that leave the worktree and files with
 * secrets are left out; sizes are capped.
 * Never throws.
 */
export async function findInstructions(input: FindInstructionsInput): Promise<InstructionFile[]> {
  const globalDirectory = input.globalDirectory ?? join(input.home, ".config", "docket")
  const groups = [[join(globalDirectory, "AGENTS.md"), join(input.home, ".claude", "CLAUDE.md")]]
  for (const directory of directoriesBetween(input.worktree, input.directory)) {
    groups.push(kinds.map((kind) => join(directory, kind)))
  }
  const named = await Promise.all((input.patterns ?? []).map(expandPattern))
  for (const path of named.flat()) groups.push([path])

  const found: InstructionFile[] = []
  let room = totalLimit
  for (const file of await Promise.all(groups.map((paths) => firstOf(paths, input)))) {
    if (!file || found.some(({ path }) => path === file.path)) continue
    room -= file.content.length
    if (room < 0) break
    found.push(file)
  }
  return found
}

/** How a path is shown: relative to the worktree when it lies inside. */
export function shownPath(path: string, worktree: string): string {
  return isWithin(worktree, path) ? relative(worktree, path) : path
}
