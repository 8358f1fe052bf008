import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { BringFiles, BroughtFile } from "../config/brought-file.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { findNamed } from "./find-named.ts"
import { instructionNames } from "./instruction-names.ts"
import { nestedDirectories } from "./nested-directories.ts"
import { type InstructionPlace, type ReportProblem, readInstruction, shownPath } from "./read-instruction.ts"

/** How long the directories of a project are not looked through again (ms); their files are read each time. */
const keepMs = 30_000

/**
 * Finds the instruction files of a project: the first kind of each directory from its top down to the one that is
 * worked in, and of every other directory below it, which is told of when something in it is read.
 */
export function createBringInstructions({ now }: { now: () => number }): BringFiles {
  const kept = new Map<string, { directories: Promise<string[]>; at: number }>()
  const nested = (top: string) => {
    const known = kept.get(top)
    if (known !== undefined && now() - known.at < keepMs) return known.directories
    const directories = nestedDirectories(top)
    kept.set(top, { directories, at: now() })
    return directories
  }
  return async ({ directory, worktree, home, named }) => {
    const top = await realpath(worktree).catch(() => worktree)
    const place: InstructionPlace = { top, home }
    const upward = directoriesBetween(top, await realpath(directory).catch(() => directory))
    const all = new Set([...upward, ...(top === home ? [] : await nested(top))])
    const problems: ConfigProblem[] = []
    const report: ReportProblem = (problem) => void problems.push(problem)
    const told = await Promise.all([...all].map((at) => firstIn(at, place, report)))
    const files = await withNamed(
      told.filter((file) => file !== null),
      await findNamed({ named: worktree, real: top }, await named()),
      (file) => broughtFile(file, place, report),
    )
    // The files are read side by side.
    problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)))
    return { files, problems }
  }
}

/** Those of directories, and the files that the configuration names. */
async function withNamed(
  told: readonly BroughtFile[],
  named: ReadonlyMap<string, readonly string[]>,
  read: (file: string) => Promise<BroughtFile | null>,
): Promise<BroughtFile[]> {
  const others = [...named].filter(([file]) => told.every((one) => one.file !== file))
  const found = await Promise.all(
    others.map(async ([file, namedBy]): Promise<BroughtFile | null> => {
      const one = await read(file)
      return one && { ...noted(one), namedBy, isNamedOnly: true }
    }),
  )
  const both = told.map((one) => {
    const namedBy = named.get(one.file)
    return namedBy === undefined ? one : { ...noted(one), namedBy }
  })
  return [...both, ...found.filter((one) => one !== null)]
}

function noted(file: BroughtFile): BroughtFile {
  const note = 'The key "instructions" names it, so it is part of every prompt once that counts.'
  return { ...file, notes: [...(file.notes ?? []), note] }
}

async function firstIn(directory: string, place: InstructionPlace, report: ReportProblem): Promise<BroughtFile | null> {
  for (const name of instructionNames) {
    const found = await broughtFile(join(directory, name), place, report)
    if (found !== null) return found
  }
  return null
}

async function broughtFile(file: string, place: InstructionPlace, report: ReportProblem): Promise<BroughtFile | null> {
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
