import path from "node:path"
import { z } from "zod"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import type { ListMetadata } from "../../ground/schema/tool-metadata.ts"
import type { DirectoryEntry, Files } from "./machine.ts"
import { searchPlace } from "./search-place.ts"
import { defineTool, type Tool, type ToolContext } from "./tool.ts"

const MAX_ENTRIES = 100
/** Directories whose contents tell little about a project. */
const ignored = [
  ".git",
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  "vendor",
  "coverage",
  "__pycache__",
  ".venv",
  "venv",
  ".next",
  ".turbo",
  ".cache",
  ".idea",
  ".vscode",
]

const description = `Shows a directory as a tree, level by level up to ${MAX_ENTRIES} entries; dependencies and build results are left out.

Use it to get an overview. To find files by name use glob, by content grep.`

const parameters = z.strictObject({
  path: z.string().optional().describe("Directory (default: the working directory)"),
  ignore: z.array(z.string().max(200)).max(50).optional().describe("More names to leave out; * and ? are wildcards"),
})

interface Entry {
  name: string
  isDirectory: boolean
  children: Entry[]
}

/** Lists a directory tree breadth first, so that the limit cuts deep levels first. Links are not followed. */
export function createListTool(): Tool<typeof parameters> {
  return defineTool({
    id: "list",
    description,
    parameters,
    permission: "list",
    parallel: true,
    limits: `${MAX_ENTRIES} entries`,
    async execute(args, context) {
      const place = await searchPlace(context, args.path)
      if (place.kind === "file") throw new Error(`${place.name} is a file. Use read.`)
      await context.ask({
        permission: "list",
        patterns: [place.name],
        always: ["*"],
        metadata: { kind: "path", path: place.name },
      })
      const patterns = [...ignored, ...(args.ignore ?? [])]
      const isSkipped = (name: string) => patterns.some((pattern) => matchWildcard(pattern.replace(/\/$/, ""), name))
      const tree = await walk(place.real, isSkipped, context)
      const metadata: ListMetadata = { directory: place.name, count: tree.count, truncated: tree.truncated }
      const note = tree.truncated ? [`(Only ${MAX_ENTRIES} entries are shown. List a directory of it for more.)`] : []
      const lines = tree.entries.flatMap((entry) => drawEntry(entry, 1))
      const output = tree.count === 0 ? "(empty)" : [`${place.shown}/`, ...lines, ...note].join("\n")
      return { title: place.name, output, metadata }
    },
  })
}

async function walk(
  root: string,
  isSkipped: (name: string) => boolean,
  { files, signal }: Pick<ToolContext, "files" | "signal">,
): Promise<{ entries: Entry[]; count: number; truncated: boolean }> {
  const entries: Entry[] = []
  const queue = [{ directory: root, into: entries }]
  let count = 0
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    signal.throwIfAborted()
    for (const found of await sortedEntries(files, next.directory)) {
      if (isSkipped(found.name)) continue
      if (count === MAX_ENTRIES) return { entries, count, truncated: true }
      count++
      const entry: Entry = { name: found.name, isDirectory: found.isDirectory, children: [] }
      next.into.push(entry)
      if (entry.isDirectory) queue.push({ directory: path.join(next.directory, found.name), into: entry.children })
    }
  }
  return { entries, count, truncated: false }
}

async function sortedEntries(files: Files, directory: string): Promise<DirectoryEntry[]> {
  const entries = await files.entries(directory).catch(() => [])
  return entries.sort((a, b) => Number(b.isDirectory) - Number(a.isDirectory) || (a.name < b.name ? -1 : 1))
}

function drawEntry(entry: Entry, depth: number): string[] {
  const line = `${"  ".repeat(depth)}${entry.name}${entry.isDirectory ? "/" : ""}`
  return [line, ...entry.children.flatMap((child) => drawEntry(child, depth + 1))]
}
