import path from "node:path"
import { z } from "zod"
import { isWithin } from "../../ground/file/is-within.ts"
import { type LanguagePlace, type LanguageServers, languageLookups } from "./language-servers.ts"
import { defineTool, type Tool, type ToolContext } from "./tool.ts"
import { resolveWorktreePath } from "./worktree-path.ts"

const description = `Asks the language server of a file about its code: exact where grep guesses.

- definition: where the name at line and column is defined. references: where it is used. hover: its type and documentation. symbols: what the file defines; it needs no place.
- Lines and columns count from 1, as in the output of read. Put the column on the name itself.
- Files that an edit or write has touched have a running server; others start theirs, which can take seconds.`

const parameters = z.strictObject({
  operation: z.enum(languageLookups).describe("What to ask"),
  filePath: z.string().min(1).describe("Path of the file"),
  line: z.int().min(1).optional().describe("Line of the name, from 1"),
  column: z.int().min(1).optional().describe("Column of the name, from 1"),
})

const maxPlaces = 200
/** Bytes of a file that servers are asked about. */
const maxBytes = 2 * 1024 * 1024

/** The servers that answer, and the project that they know. */
export interface AskedServers {
  servers: Pick<LanguageServers, "look">
  place: LanguagePlace
}

/**
 * Questions to language servers. Places in files that the agent may not read are left out.
 * @param asked whom it asks, or in words for people why it cannot; then no model is offered the tool
 */
export function createLspTool(asked: AskedServers | { unavailable: string }): Tool<typeof parameters> {
  return defineTool({
    id: "lsp",
    description,
    parameters,
    permission: "lsp",
    parallel: true,
    limits: `${maxPlaces} places`,
    ...("unavailable" in asked && { unavailable: asked.unavailable }),
    async execute({ operation, filePath, line, column }, context) {
      if ("unavailable" in asked) throw new Error(`${asked.unavailable}. Use grep and read.`)
      const { servers, place } = asked
      if (operation !== "symbols" && (line === undefined || column === undefined))
        throw new Error(`${operation} needs line and column of the name.`)
      const target = await resolveWorktreePath(context, filePath)
      if (!isWithin(place.worktree, target.real))
        throw new Error("Language servers know the files of the project only. Use read for others.")
      for (const permission of ["lsp", "read"])
        await context.ask({
          permission,
          patterns: [target.name],
          always: ["*"],
          metadata: { kind: "files", files: [target.name] },
        })
      const text = await textOf(context, target.real, target.name)
      const question = {
        operation,
        file: target.real,
        text,
        line: line ?? 1,
        column: column ?? 1,
        signal: context.signal,
      }
      const answer = await servers.look(place, question)
      const title = operation === "symbols" ? target.name : `${operation} at ${target.name}:${line}:${column}`
      const facts = { operation, file: target.name }
      if ("text" in answer) {
        const output = answer.text.trim() === "" ? "The server says nothing about this place." : answer.text
        return { title, output, metadata: { ...facts, count: 0, truncated: false } }
      }
      const inside = answer.places.filter(({ file }) => isWithin(place.worktree, path.resolve(file)))
      const names = inside.map(({ file }) => path.relative(place.worktree, file))
      const closed = new Set((await context.closed.among([...new Set(names)], "")).map(({ file }) => file))
      const open = inside.flatMap((one, at) => (closed.has(names[at] ?? "") ? [] : [{ ...one, name: names[at] ?? "" }]))
      const lines = open
        .slice(0, maxPlaces)
        .map(({ name, line: at, column: from, label }) =>
          label === undefined ? `${name}:${at}:${from}` : `${at}:${from} ${label}`,
        )
      const outside = answer.places.length - inside.length
      const output = [
        ...(answer.places.length === 0 ? [`${answer.server} knows none.`] : lines),
        ...(open.length > maxPlaces ? [`(${open.length - maxPlaces} more)`] : []),
        ...(outside > 0 ? [`(${outside} outside the project)`] : []),
        ...(inside.length > open.length ? [`(${inside.length - open.length} in files that you may not read)`] : []),
      ].join("\n")
      return { title, output, metadata: { ...facts, count: open.length, truncated: open.length > maxPlaces } }
    },
  })
}

/** @throws Error when it is no regular file, or too large */
async function textOf({ files }: Pick<ToolContext, "files">, real: string, name: string): Promise<string> {
  await using handle = await files.open(real)
  const { size } = await handle.stat({ bigint: true })
  if (size > BigInt(maxBytes)) throw new Error(`${name} is too large for a language server. Use grep.`)
  return (await handle.readFile()).toString()
}
