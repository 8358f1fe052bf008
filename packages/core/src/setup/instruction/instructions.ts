import { dirname, join, posix, relative, sep } from "node:path"
import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { BringFiles, JudgedFile } from "../config/brought-file.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { textDigest } from "../config/digest.ts"
import { isInstructionAddress } from "../config/fill-in-config.ts"
import { userConfigDirectory } from "../config/user-directory.ts"
import { createBringInstructions, expandPattern } from "./bring-instructions.ts"
import { createInstructionAddresses, type FetchedInstructions } from "./fetched-instructions.ts"
import {
  type InstructionFile,
  instructionLimits,
  type NestedInstructions,
  type ReportProblem,
  readInstruction,
  textOfPieces,
} from "./read-instruction.ts"

/** What a project provides, as far as the user trusts it. */
export interface ProjectBrings {
  /** The project's own top, also for a session that works in a worktree apart. */
  top: string
  files: readonly JudgedFile[]
}

/** Where a session works, and what its configuration says. */
interface InstructedPlace {
  directory: string
  worktree: string
  /** Absolute paths, globs and addresses. */
  patterns: readonly string[]
  brought: ProjectBrings
}

export interface InstructionsInForce {
  /** What joins every prompt, general ones first. */
  files: InstructionFile[]
  nested: NestedInstructions[]
  /** What is there and left out. */
  problems: ConfigProblem[]
}

export interface Instructions {
  /** Finds those of a project, for the judgement of its trust. */
  bring: BringFiles
  /** @param options.wait false leaves out addresses that were not fetched yet, and begins to fetch them */
  inForce(place: InstructedPlace, options: { wait: boolean }): Promise<InstructionsInForce>
}

/** The instructions of the user and of projects. */
export function createInstructions(deps: {
  home: string
  env: Record<string, string | undefined>
  fetch: GuardedFetch
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  limits(): DirectoryLimits
}): Instructions {
  const addresses = createInstructionAddresses(deps)
  return {
    bring: createBringInstructions(deps),
    async inForce({ worktree, directory, patterns, brought }, { wait }) {
      const problems: ConfigProblem[] = []
      const report: ReportProblem = (problem) => void problems.push(problem)
      const fetched = wait ? addresses.of : addresses.known
      const [own, named] = await Promise.all([
        ownInstructions(deps, report),
        namedInstructions(
          { top: brought.top, home: deps.home, patterns, brought: brought.files, fetched, ...deps.limits() },
          report,
        ),
      ])
      const { upward, nested } = broughtInstructions(brought.files, { worktree, directory })
      const files = withinRoom([...(own === null ? [] : [own]), ...upward, ...named], report)
      return { files, nested, problems }
    },
  }
}

/** The instruction files of a project that the user trusts: those of every prompt, and those of other directories. */
export function broughtInstructions(
  brought: readonly JudgedFile[],
  { worktree, directory }: { worktree: string; directory: string },
): { upward: NestedInstructions[]; nested: NestedInstructions[] } {
  const onTheWay = new Set(directoriesBetween(worktree, directory).map((at) => pathIn(worktree, at)))
  const all = brought
    .filter(({ kind, trusted, isNamedOnly }) => kind === "instruction-file" && trusted && !isNamedOnly)
    .map(({ name, text, pieces }): NestedInstructions => {
      const version = textDigest(text).slice(0, 16)
      return { name, content: text, pieces, from: "project", directory: instructedDirectory(name), version }
    })
  return {
    upward: all.filter((one) => onTheWay.has(one.directory)),
    nested: all.filter((one) => !onTheWay.has(one.directory)),
  }
}

/** The directory that an instruction file speaks of, both as paths in the project. */
function instructedDirectory(name: string): string {
  return posix.dirname(name.replace(/\.claude\/CLAUDE\.md$/, "CLAUDE.md"))
}

/** A path in a project as its files are named; `.` for its top. */
function pathIn(top: string, path: string): string {
  return relative(top, path).split(sep).join("/") || "."
}

/** Each file once, within the size limit of all instructions. */
function withinRoom(files: readonly InstructionFile[], report: ReportProblem): InstructionFile[] {
  const found: InstructionFile[] = []
  const sent = new Set<string>()
  let room = instructionLimits.whole
  for (const whole of files) {
    const file = withoutSent(whole, sent)
    if (file === null || found.some(({ name }) => name === file.name)) continue
    if (file.content.length > room) {
      const message = `is left out of the instructions: all of them together are held to ${instructionLimits.whole} characters`
      report({ file: file.name, line: null, column: null, message })
      continue
    }
    room -= file.content.length
    for (const { real } of file.pieces ?? []) sent.add(real)
    found.push(file)
  }
  return found
}

/** The parts that were not sent yet; null for none. */
function withoutSent(file: InstructionFile, sent: ReadonlySet<string>): InstructionFile | null {
  if (file.pieces === undefined) return file
  const pieces = file.pieces.filter(({ real }) => !sent.has(real))
  if (pieces.length === 0) return null
  return { ...file, pieces, content: textOfPieces(pieces) }
}

/** The user's own instructions: Docket's AGENTS.md, else what they wrote for Claude Code or for OpenCode. Null for none. */
async function ownInstructions(
  user: { home: string; env: Record<string, string | undefined> },
  report: ReportProblem,
): Promise<InstructionFile | null> {
  const own = userConfigDirectory(user)
  const files = [
    join(own, "AGENTS.md"),
    join(user.home, ".claude", "CLAUDE.md"),
    join(dirname(own), "opencode", "AGENTS.md"),
  ]
  for (const file of files) {
    const read = await readInstruction(file, { top: null, home: user.home }, report)
    if (read !== null) return { name: file, content: read.text, pieces: read.pieces, from: "user" }
  }
  return null
}

interface NamedInstructionsInput {
  /** Real path of the project's top. */
  top: string
  home: string
  /** Absolute paths, globs and addresses, as the configuration gives them. */
  patterns: readonly string[]
  /** Where they may lie outside the project; null for anywhere. */
  roots: readonly string[] | null
  /** What is of other workspaces and of the service: none of it is read, also by a link. */
  others: readonly string[]
  /** What the project provides. Of its own files only trusted ones count, with the text that the user has seen. */
  brought: readonly JudgedFile[]
  /** What an address gave; null while that is not known. */
  fetched(url: string): Promise<FetchedInstructions | null> | FetchedInstructions | null
}

/** What the key `instructions` of the configuration names, in its order. Never throws. */
async function namedInstructions(input: NamedInstructionsInput, report: ReportProblem): Promise<InstructionFile[]> {
  const { top, home, roots, others, brought } = input
  const leaveOut = (file: string, message: string) => {
    report({ file, line: null, column: null, message })
    return null
  }
  const read = async (path: string): Promise<InstructionFile | null> => {
    if (isWithin(top, path)) return leaveOut(path, "is named by a pattern that begins outside the project; left out")
    const within = roots?.find((root) => isWithin(root, path)) ?? null
    if (within === null && roots !== null) return leaveOut(path, "is in no directory of this workspace; left out")
    const found = await readInstruction(path, { top: within, home, others }, report)
    return found && { name: path, content: found.text, pieces: found.pieces, from: "user" }
  }
  const found = input.patterns.map(async (pattern) => {
    if (isInstructionAddress(pattern)) return [await fetchedFile(pattern, input, report)]
    if (!isWithin(top, pattern)) return Promise.all((await expandPattern(pattern)).map(read))
    const ofProject = brought.filter(({ namedBy, trusted }) => trusted && namedBy?.includes(pattern))
    return ofProject.map(
      ({ name, text, pieces }): InstructionFile => ({ name, content: text, pieces, from: "project" }),
    )
  })
  return (await Promise.all(found)).flat().filter((file) => file !== null)
}

async function fetchedFile(
  url: string,
  { fetched }: Pick<NamedInstructionsInput, "fetched">,
  report: ReportProblem,
): Promise<InstructionFile | null> {
  const answer = await fetched(url)
  if (answer === null) return null
  if ("text" in answer) return answer.text === "" ? null : { name: url, content: answer.text, from: "address" }
  report({ file: url, line: null, column: null, message: answer.problem })
  return null
}
