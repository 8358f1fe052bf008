import path from "node:path"
import { z } from "zod"
import type { GlobMetadata } from "../../ground/schema/tool-metadata.ts"
import { SearchTimeout } from "./ripgrep.ts"
import { searchPlace } from "./search-place.ts"
import { defineTool, type Tool } from "./tool.ts"
import { nameWorktreePath, type WorktreePath, worktreeRoots } from "./worktree-path.ts"

const MAX_FILES = 100

const description = `Finds files by a glob pattern, the most recently changed first.

- Patterns like "**/*.ts", "src/**/*.{css,scss}" or "package.json" (at any depth).
- Gives up to ${MAX_FILES} paths; files that .gitignore excludes, .git and node_modules are left out.
- Use it when you know something about the name; use grep for what is inside files.`

const parameters = z.strictObject({
  pattern: z.string().min(1).max(2_000).describe("Glob pattern"),
  path: z.string().optional().describe("Directory to search (default: the working directory)"),
})

/** Finds files by name with ripgrep. */
export function createGlobTool(deps: { ripgrep: string; timeout?: number }): Tool<typeof parameters> {
  return defineTool({
    id: "glob",
    description,
    parameters,
    permission: "glob",
    parallel: true,
    limits: `${MAX_FILES} files`,
    async execute(args, context) {
      await context.ask({
        permission: "glob",
        patterns: [args.pattern],
        always: ["*"],
        metadata: { kind: "search", ...args },
      })
      const place = await searchPlace(context, args.path)
      if (place.kind === "file") throw new Error(`${place.name} is a file. Give a directory as path.`)
      const pattern = relativePattern(args.pattern, place.real)
      const roots = await worktreeRoots(context)
      const found: WorktreePath[] = []
      await context.commands
        .search({
          ...deps,
          args: ["--files", "--hidden", "--sortr=modified", "--glob", pattern, ...exclusions(pattern)],
          cwd: place.real,
          signal: context.signal,
          onLine: (line) => found.push(nameWorktreePath(roots, path.join(place.real, line))) <= MAX_FILES,
        })
        .catch((error: unknown) => {
          throw globError(args.pattern, error)
        })
      const shown = found.slice(0, MAX_FILES)
      const metadata: GlobMetadata = {
        count: shown.length,
        files: shown.map((file) => file.name),
        truncated: found.length > MAX_FILES,
      }
      const note = metadata.truncated
        ? [`(Only the ${MAX_FILES} newest files are shown. Narrow the pattern or the path.)`]
        : []
      const output = metadata.count === 0 ? "No files match." : [...shown.map((file) => file.shown), ...note].join("\n")
      return { title: args.pattern, output, metadata }
    },
  })
}

/** ripgrep's globs are relative to where it starts. */
function relativePattern(pattern: string, directory: string): string {
  if (!path.isAbsolute(pattern)) return pattern.replace(/^\.\//, "/")
  return pattern.startsWith(`${directory}/`) ? pattern.slice(directory.length) : pattern
}

/** In ripgrep the last matching glob wins, so these come after the pattern. */
function exclusions(pattern: string): string[] {
  const names = [".git", "node_modules"].filter((name) => !pattern.split("/").includes(name))
  return names.flatMap((name) => ["--glob", `!**/${name}/**`])
}

function globError(pattern: string, error: unknown): unknown {
  if (!(error instanceof Error) || error.name === "AbortError" || error instanceof SearchTimeout) return error
  return new Error(`The glob pattern ${JSON.stringify(pattern)} is not valid: ${error.message}`, { cause: error })
}
