import { z } from "zod"
import { changeFile } from "./change-file.ts"
import type { WithFileLock } from "./file-locks.ts"
import { replaceText } from "./replace-text.ts"
import { defineTool, type Tool } from "./tool.ts"

const description = `Replaces a piece of text in a file.

- oldString must be in the file exactly as written, with its indentation and line breaks, and only once. Read the file first, which is required, and copy from it, without the line numbers.
- When it is not unique, take in more lines around it, or set replaceAll to change every occurrence (to rename something, say).
- Line ends (LF or CRLF, also mixed), a byte order mark and the file's mode are kept.
- Several edits of one file in one answer are done one after another.
- An empty oldString creates a file that does not exist yet.`

const parameters = z.strictObject({
  filePath: z.string().min(1).describe("Path of the file"),
  oldString: z.string().describe("The exact text to replace"),
  newString: z.string().describe("The text to put there; empty to delete"),
  replaceAll: z.boolean().optional().describe("Replace every occurrence (default false)"),
})

/** Exact replacement in one file. Shares its locks with `write`. */
export function createEditTool(deps: { withFileLock: WithFileLock }): Tool<typeof parameters> {
  return defineTool({
    id: "edit",
    description,
    parameters,
    permission: "edit",
    parallel: true,
    notesWriting: true,
    async execute(args, context) {
      let count = 1
      return changeFile(context, {
        filePath: args.filePath,
        withLock: deps.withFileLock,
        keepBom: true,
        change(before, name) {
          if (before === null) return newFileText(name, args.oldString, args.newString)
          const replaced = replaceText(before, {
            oldString: args.oldString,
            newString: args.newString,
            replaceAll: args.replaceAll ?? false,
          })
          count = replaced.count
          return replaced.text
        },
        tell({ created, additions, deletions }) {
          const times = count === 1 ? "" : ` (${count} places)`
          return `${created ? "Created" : "Edited"} ${args.filePath}${times}: +${additions} −${deletions} lines.`
        },
      })
    },
  })
}

function newFileText(name: string, oldString: string, newString: string): string {
  if (oldString === "") return newString
  throw new Error(`${name} does not exist. Check the path with glob, or use write to create it.`)
}
