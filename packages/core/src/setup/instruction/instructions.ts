import { dirname, join, posix, relative, sep } from "node:path"
import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { textDigest } from "../config/digest.ts"
import { isInstructionAddress } from "../config/fill-in-config.ts"
import type { FindProvidedFiles, JudgedFile } from "../config/provided-file.ts"
import { userConfigDirectory } from "../config/user-directory.ts"
import { createInstructionAddresses, type FetchedInstructions } from "./fetched-instructions.ts"
import { createFindInstructions, expandPattern } from "./find-instructions.ts"
import {
  type InstructionFile,
  instructionLimits,
  type NestedInstructions,
  type ReportProblem,
  readInstruction,
  textOfPieces,
} from "./read-instruction.ts"

/** The files that a project provides, as far as the user trusts them. */
export interface ProvidedFiles {
  /** The project's own top directory, even for a session in a separate worktree. */
  top: string
  files: readonly JudgedFile[]
}

/** The directory of a session, with the instructions from its configuration. */
interface InstructedPlace {
  directory: string
  worktree: string
  /** Absolute paths, globs and addresses. */
  patterns: readonly string[]
  provided: ProvidedFiles
}

export interface InstructionsInForce {
  /** Instructions in every prompt, general ones first. */
  files: InstructionFile[]
  nested: NestedInstructions[]
  /** Why existing instructions were left out. */
  problems: ConfigProblem[]
}

export interface Instructions {
  /** Finds the instructions of a project, so that the user can decide whether to trust them. */
  findProvided: FindProvidedFiles
  /** @param options.wait false leaves out addresses without a result and starts to fetch them */
  inForce(place: InstructedPlace, options: { wait: boolean }): Promise<InstructionsInForce>
}

/** Finds the instructions of the user and of projects. */
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
    findProvided: createFindInstructions(deps),
    async inForce({ worktree, directory, patterns, provided }, { wait }) {
      const problems: ConfigProblem[] = []
      const report: ReportProblem = (problem) => void problems.push(problem)
      const fetched = wait ? addresses.of : addresses.known
      const [own, named] = await Promise.all([
        ownInstructions(deps, report),
        namedInstructions(
          { top: provided.top, home: deps.home, patterns, provided: provided.files, fetched, ...deps.limits() },
          report,
        ),
      ])
      const { upward, nested } = providedInstructions(provided.files, { worktree, directory })
      const files = withinRoom([...(own === null ? [] : [own]), ...upward, ...named], report)
      return { files, nested, problems }
    },
  }
}

/** The instruction files of a project that the user trusts: those for every prompt, and those of other directories. */
export function providedInstructions(
  provided: readonly JudgedFile[],
  { worktree, directory }: { worktree: string; directory: string },
): { upward: NestedInstructions[]; nested: NestedInstructions[] } {
  const onTheWay = new Set(directoriesBetween(worktree, directory).map((at) => pathIn(worktree, at)))
  const all = provided
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

/** The directory to which an instruction file applies; both are paths in the project. */
function instructedDirectory(name: string): string {
  return posix.dirname(name.replace(/\.claude\/CLAUDE\.md$/, "CLAUDE.md"))
}

/** A path relative to the project with `/`; `.` for its top directory. */
function pathIn(top: string, path: string): string {
  return relative(top, path).split(sep).join("/") || "."
}

/** Each file once, within the size limit of all instructions. */
function withinRoom(files: readonly InstructionFile[], report: ReportProblem): InstructionFile[] {
  const found: InstructionFile[] = []
  /** Real paths of all pieces so far: one that a later file has too is left out there. */
  const included = new Set<string>()
  let room = instructionLimits.whole
  for (const whole of files) {
    const file = withoutIncluded(whole, included)
    if (file === null || found.some(({ name }) => name === file.name)) continue
    if (file.content.length > room) {
      const message = `is left out of the instructions: all of them together are held to ${instructionLimits.whole} characters`
      report({ file: file.name, line: null, column: null, message })
      continue
    }
    room -= file.content.length
    for (const { real } of file.pieces ?? []) included.add(real)
    found.push(file)
  }
  return found
}

/** The pieces of a file that no earlier file has; null for none. */
function withoutIncluded(file: InstructionFile, included: ReadonlySet<string>): InstructionFile | null {
  if (file.pieces === undefined) return file
  const pieces = file.pieces.filter(({ real }) => !included.has(real))
  if (pieces.length === 0) return null
  return { ...file, pieces, content: textOfPieces(pieces) }
}

/** The user's own instructions: Docket's AGENTS.md, or else those for Claude Code or OpenCode. Null for none. */
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
  /** Real path of the project's top directory. */
  top: string
  home: string
  /** Absolute paths, globs and addresses from the configuration. */
  patterns: readonly string[]
  /** Directories outside the project where files may be; null for anywhere. */
  roots: readonly string[] | null
  /** Directories of other workspaces and of the service; nothing in them is read, not even through a link. */
  others: readonly string[]
  /** The files of the project. Only trusted ones apply, with the text that the user has seen. */
  provided: readonly JudgedFile[]
  /** The result for an address; null while unknown. */
  fetched(url: string): Promise<FetchedInstructions | null> | FetchedInstructions | null
}

/** The files that the configuration's key `instructions` names, in order. Never throws. */
async function namedInstructions(input: NamedInstructionsInput, report: ReportProblem): Promise<InstructionFile[]> {
  const { top, home, roots, others, provided } = input
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
    const ofProject = provided.filter(({ namedBy, trusted }) => trusted && namedBy?.includes(pattern))
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
