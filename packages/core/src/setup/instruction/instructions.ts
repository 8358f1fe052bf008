import { createHash } from "node:crypto"
import { posix, relative, sep } from "node:path"
import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { BringFiles, JudgedFile } from "../config/brought-file.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { createBringInstructions } from "./bring-instructions.ts"
import { createInstructionAddresses } from "./fetched-instructions.ts"
import type { InstructionFile, NestedInstructions } from "./instruction-file.ts"
import { namedInstructions } from "./named-instructions.ts"
import { ownInstructions } from "./own-instructions.ts"
import { instructionLimits, type ReportProblem, textOfPieces } from "./read-instruction.ts"

/** What a project brings, as the user trusts it. */
export interface ProjectBrings {
  /** The project's own top, also for a session that works in a worktree apart. */
  top: string
  files: readonly JudgedFile[]
}

/** Where a session works, and what its configuration says. */
export interface InstructedPlace {
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
      const version = createHash("sha256").update(text).digest("hex").slice(0, 16)
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

/** Each file once, by whichever ways it is reached, and only as much as there is room for. */
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

/** What of it was not sent yet; null for nothing. */
function withoutSent(file: InstructionFile, sent: ReadonlySet<string>): InstructionFile | null {
  if (file.pieces === undefined) return file
  const pieces = file.pieces.filter(({ real }) => !sent.has(real))
  if (pieces.length === 0) return null
  return { ...file, pieces, content: textOfPieces(pieces) }
}
