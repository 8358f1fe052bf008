import path from "node:path"
import { z } from "zod"
import type { GrepMetadata } from "../../ground/schema/tool-metadata.ts"
import { PermissionDeniedError } from "../permission/error.ts"
import type { Files } from "./machine.ts"
import { SearchTimeout } from "./ripgrep.ts"
import { type SearchPlace, searchPlace } from "./search-place.ts"
import { defineTool, type Tool, type ToolContext, type ToolResult } from "./tool.ts"
import { nameWorktreePath, type WorktreePath, type WorktreeRoots, worktreeRoots } from "./worktree-path.ts"

const MAX_MATCHES = 100
/** The search stops after this many matches; the newest files among them are shown. */
const MAX_COLLECTED = 2_000
const MAX_LINE = 500

const description = `Searches the contents of files with a regular expression (ripgrep's syntax).

- Gives up to ${MAX_MATCHES} matching lines with file and line number, the most recently changed files first; lines over ${MAX_LINE} characters are cut.
- Escape what you mean literally: "foo\\\\(bar\\\\)", "a\\\\.b". Look-around and back-references do not exist. Start with (?i) to ignore case.
- include narrows to files by glob, such as "*.ts" or "src/**/*.{ts,tsx}"; path to a directory or one file.
- Files that .gitignore excludes, .git, binary files and .env files are left out.
- Use several calls in one answer to look for several things. For open-ended searches of many rounds use a subagent.`

const parameters = z.strictObject({
  pattern: z.string().min(1).max(10_000).describe("Regular expression"),
  path: z.string().optional().describe("Directory or file to search (default: the working directory)"),
  include: z.string().min(1).max(2_000).optional().describe("Glob of files to search"),
})

interface Match {
  /** The absolute path of the file. */
  file: string
  line: number
  text: string
}

/** Matching lines of one file. */
interface FileMatches {
  file: WorktreePath
  lines: { line: number; text: string }[]
}

/** Searches files with ripgrep. The rules for `read` decide which files may be shown. */
export function createGrepTool(deps: { ripgrep: string; timeout?: number }): Tool<typeof parameters> {
  return defineTool({
    id: "grep",
    description,
    parameters,
    permission: "grep",
    parallel: true,
    limits: `${MAX_MATCHES} matches`,
    async execute(args, context) {
      await context.ask({
        permission: "grep",
        patterns: [args.pattern],
        always: ["*"],
        metadata: { kind: "search", ...args },
      })
      const place = await searchPlace(context, args.path)
      const matches: Match[] = []
      const isComplete = await context.commands
        .search({
          ...deps,
          args: [...searchArguments(place, args.include), "--regexp", args.pattern, "--", place.real],
          cwd: place.kind === "file" ? path.dirname(place.real) : place.real,
          signal: context.signal,
          onLine(line) {
            const match = parseMatch(line)
            return match === null || matches.push(match) < MAX_COLLECTED
          },
        })
        .catch((error: unknown) => {
          throw searchError(args.pattern, error)
        })
      const found = await newestFirst(matches, await worktreeRoots(context), context.files)
      const shown = firstMatches(found)
      const readable = await onlyReadable(shown, context)
      const hasMore = !isComplete || matches.length > countLines(shown)
      return grepResult(args.pattern, readable, { hidden: shown.length - readable.length, hasMore })
    },
  })
}

function searchArguments(place: SearchPlace, include: string | undefined): string[] {
  const shape = ["--with-filename", "--line-number", "--no-heading", "--null", "--hidden", "--no-messages"]
  const length = [`--max-columns=${MAX_LINE}`, "--max-columns-preview"]
  const globs = include === undefined ? [] : ["--glob", include.replace(/^\.\//, "/")]
  // A file that is named as the path is always searched, after `read` was asked for it.
  const excluded =
    place.kind === "file" ? [] : ["--glob=!**/.git/**", "--glob=!**/.env", "--glob=!**/*.env", "--glob=!**/.env.*"]
  return [...shape, ...length, ...globs, ...excluded]
}

/** A line is `path NUL number:text`. */
function parseMatch(line: string): Match | null {
  const nul = line.indexOf("\0")
  const colon = line.indexOf(":", nul)
  if (nul < 0 || colon < 0) return null
  const text = line.slice(colon + 1).replaceAll("\0", "\uFFFD")
  return {
    file: line.slice(0, nul),
    line: Number(line.slice(nul + 1, colon)),
    text: text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text,
  }
}

async function newestFirst(matches: Match[], roots: WorktreeRoots, files: Files): Promise<FileMatches[]> {
  const dated = await Promise.all(
    [...Map.groupBy(matches, (match) => match.file)].map(async ([file, found]) => {
      const facts = await files.look(file).catch(() => null)
      const lines = found.map(({ line, text }) => ({ line, text })).sort((a, b) => a.line - b.line)
      return { file: nameWorktreePath(roots, file), lines, changed: facts?.changed ?? 0 }
    }),
  )
  return dated.sort((a, b) => b.changed - a.changed || a.file.name.localeCompare(b.file.name))
}

function firstMatches(files: FileMatches[]): FileMatches[] {
  const shown: FileMatches[] = []
  let left = MAX_MATCHES
  for (const { file, lines } of files) {
    if (left === 0) break
    shown.push({ file, lines: lines.slice(0, left) })
    left -= Math.min(left, lines.length)
  }
  return shown
}

function countLines(files: FileMatches[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0)
}

/** Asks for `read` of all files at once; if that is denied, asks for each file and leaves out the denied ones. */
async function onlyReadable(files: FileMatches[], context: ToolContext): Promise<FileMatches[]> {
  if (files.length === 0 || (await mayRead(files, context))) return files
  const allowed: FileMatches[] = []
  for (const file of files) {
    if (await mayRead([file], context)) allowed.push(file)
  }
  return allowed
}

async function mayRead(files: FileMatches[], context: ToolContext): Promise<boolean> {
  const patterns = files.map(({ file }) => file.name)
  try {
    await context.ask({ permission: "read", patterns, always: patterns, metadata: { kind: "files", files: patterns } })
    return true
  } catch (error) {
    if (error instanceof PermissionDeniedError) return false
    throw error
  }
}

function grepResult(
  pattern: string,
  files: FileMatches[],
  facts: { hasMore: boolean; hidden: number },
): ToolResult<"grep"> {
  const matches = countLines(files)
  const blocks = files.map(({ file, lines }) =>
    [file.shown, ...lines.map(({ line, text }) => `  ${line}: ${text}`)].join("\n"),
  )
  if (facts.hasMore) blocks.push(`(Only ${matches} matches are shown. Narrow the pattern, include or path.)`)
  if (facts.hidden > 0) {
    blocks.push(`(Matches in ${facts.hidden} files are not shown: the user's rules do not allow reading them.)`)
  }
  const metadata: GrepMetadata = {
    matches,
    files: files.map(({ file, lines }) => ({ file: file.name, lines })),
    truncated: facts.hasMore,
  }
  return {
    title: pattern,
    output: blocks.length === 0 ? "No matches." : blocks.join("\n"),
    metadata,
  }
}

function searchError(pattern: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "AbortError" || error instanceof SearchTimeout) return error
  return new Error(
    `The search for ${JSON.stringify(pattern)} failed: ${error.message}\nEscape characters such as ( ) [ ] { } . * + ? with a backslash if you mean them literally.`,
    { cause: error },
  )
}
