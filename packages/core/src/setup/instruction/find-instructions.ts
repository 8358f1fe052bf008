import type { Dirent } from "node:fs"
import { glob, readdir } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { isInstructionAddress } from "../config/fill-in-config.ts"
import type { FindProvidedFiles, ProvidedFile } from "../config/provided-file.ts"
import { type InstructionPlace, type ReportProblem, readInstruction, shownPath } from "./read-instruction.ts"

/** How long the list of a project's directories is cached (ms); the files are read each time. */
const keepMs = 30_000

/**
 * Finds the instruction files of a project: the first kind in each directory from the project's top down to the
 * current one, and in every other directory below the top. The latter are announced when a file in their directory is
 * read.
 */
export function createFindInstructions({ now }: { now: () => number }): FindProvidedFiles {
  const kept = new Map<string, { directories: Promise<string[]>; at: number }>()
  const nested = (top: string) => {
    const known = kept.get(top)
    if (known !== undefined && now() - known.at < keepMs) return known.directories
    const directories = nestedDirectories(top)
    kept.set(top, { directories, at: now() })
    return directories
  }
  return async ({ worktree, top, levels, glance, home, named }) => {
    const place: InstructionPlace = { top, home }
    const all = new Set([...levels, ...(top === home ? [] : await nested(top))])
    const problems: ConfigProblem[] = []
    const report: ReportProblem = (problem) => void problems.push(problem)
    const placed = await Promise.all(
      [...all].map(async (at) => {
        const files = instructionNames.map((name) => join(at, name))
        // Below the current directory are only directories that have one, so that a look at each would cost more.
        return firstOf(levels.includes(at) ? await glance.present(files, (file) => file) : files, place, report)
      }),
    )
    const files = await withNamed(
      placed.filter((file) => file !== null),
      await findNamed({ named: worktree, real: top }, await named()),
      (file) => providedFile(file, place, report),
    )
    // Files are read in parallel, so sort the problems.
    problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)))
    return { files, problems }
  }
}

/** The instruction files of directories, and the files named in the configuration. */
async function withNamed(
  placed: readonly ProvidedFile[],
  named: ReadonlyMap<string, readonly string[]>,
  read: (file: string) => Promise<ProvidedFile | null>,
): Promise<ProvidedFile[]> {
  const others = [...named].filter(([file]) => placed.every((one) => one.file !== file))
  const found = await Promise.all(
    others.map(async ([file, namedBy]): Promise<ProvidedFile | null> => {
      const one = await read(file)
      return one && { ...noted(one), namedBy, isNamedOnly: true }
    }),
  )
  const both = placed.map((one) => {
    const namedBy = named.get(one.file)
    return namedBy === undefined ? one : { ...noted(one), namedBy }
  })
  return [...both, ...found.filter((one) => one !== null)]
}

function noted(file: ProvidedFile): ProvidedFile {
  const note = 'The key "instructions" names it, so it is part of every prompt once that counts.'
  return { ...file, notes: [...(file.notes ?? []), note] }
}

async function firstOf(
  files: readonly string[],
  place: InstructionPlace,
  report: ReportProblem,
): Promise<ProvidedFile | null> {
  for (const file of files) {
    const found = await providedFile(file, place, report)
    if (found !== null) return found
  }
  return null
}

async function providedFile(
  file: string,
  place: InstructionPlace,
  report: ReportProblem,
): Promise<ProvidedFile | null> {
  const read = await readInstruction(file, place, report)
  if (read === null) return null
  const notes = read.imports.length === 0 ? [] : [`Imports ${read.imports.join(", ")}.`]
  return {
    kind: "instruction-file",
    name: shownPath(file, place.top),
    file,
    text: read.text,
    pieces: read.pieces,
    notes,
  }
}

/** Most files of one pattern, most files of a project, and most names examined for one pattern. */
const limits = { each: 20, all: 100, seen: 10_000 }

/** The files that match a pattern, sorted by name; the path itself when it is no pattern. */
export async function expandPattern(pattern: string): Promise<string[]> {
  if (!isPattern(pattern)) return [pattern]
  let seen = 0
  // Patterns of an untrusted project are expanded too, so installed directories are skipped.
  const exclude = (path: string) => {
    const name = basename(path)
    return ++seen > limits.seen || (foreignDirectories.has(name) && !pattern.includes(name))
  }
  const paths: string[] = []
  for await (const path of glob(pattern, { exclude })) {
    paths.push(path)
    if (paths.length === limits.each) break
  }
  return paths.sort()
}

/** Whether a name is a pattern. */
const isPattern = (name: string) => /[*?[{]/.test(name)

/**
 * The project files that match patterns, each with its patterns, in order.
 * @param top the project's top directory as written in the patterns, and its real path
 */
async function findNamed(
  top: { named: string; real: string },
  patterns: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const pattern of patterns) {
    if (isInstructionAddress(pattern) || !isWithin(top.named, pattern)) continue
    // Alternatives in a pattern may lead outside the project.
    const inside = (await expandPattern(pattern)).filter((path) => isWithin(top.named, path))
    for (const path of inside) {
      const file = join(top.real, relative(top.named, path))
      const by = found.get(file)
      if (by !== undefined) by.push(pattern)
      else if (found.size < limits.all) found.set(file, [pattern])
    }
  }
  return found
}

/** Most directories searched in a project, most levels below its top, and most directories returned. */
const nestedLimits = { directories: 1_000, depth: 6, found: 50 }

/** Directories with third-party or generated files. */
const foreignDirectories: ReadonlySet<string> = new Set(
  "node_modules bower_components vendor Pods venv __pycache__ target build dist out coverage".split(" "),
)

/**
 * Directories below a project's top that may have their own instructions, nearest first. Hidden, linked, installed and
 * generated directories are skipped.
 */
async function nestedDirectories(top: string): Promise<string[]> {
  const found: string[] = []
  let level = [top]
  let left = nestedLimits.directories
  for (let depth = 0; depth <= nestedLimits.depth && level.length > 0; depth++) {
    const read = await Promise.all(level.slice(0, left).map(async (at) => ({ at, entries: await entriesOf(at) })))
    left -= read.length
    found.push(...read.filter(({ at, entries }) => at !== top && entries.some(mayBeInstructions)).map(({ at }) => at))
    level = read.flatMap(({ at, entries }) => entries.filter(isLookedAt).map(({ name }) => join(at, name)))
  }
  return found.slice(0, nestedLimits.found)
}

/** The kinds of instruction file, best first. Only the first existing kind of a directory is used. */
const instructionNames = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CONTEXT.md"]
const firstNames = new Set(instructionNames.map((name) => name.split("/")[0]))

function mayBeInstructions({ name }: Dirent): boolean {
  return firstNames.has(name)
}

function isLookedAt(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !foreignDirectories.has(entry.name)
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
