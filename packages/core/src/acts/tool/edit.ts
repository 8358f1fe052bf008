import { z } from "zod"
import { changeFile } from "./change-files.ts"
import type { WithFileLock } from "./file-locks.ts"
import { numberedLines } from "./numbered-lines.ts"
import { type ReplacedText, replaceText } from "./replace/replace-text.ts"
import { lineAt, searchedText } from "./replace/searched-text.ts"
import { editLimits } from "./text-file.ts"
import { defineTool, type Tool } from "./tool.ts"

const description = `Replaces a piece of text in a file.

- oldString must be in the file as written, with its indentation and line breaks, and only once. Read the file first, which is required, and copy from it, without the line numbers.
- Text that is there with other white space or escapes, or with a few other lines, is found if it is the only such place. Lines that you do not change stay as the file has them, and the result shows the place.
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

/** Replacement in one file. Shares its locks with `write`. */
export function createEditTool(deps: { withFileLock: WithFileLock }): Tool<typeof parameters> {
  return defineTool({
    id: "edit",
    description,
    parameters,
    permission: "edit",
    parallel: true,
    limits: editLimits,
    notesWriting: true,
    async execute(args, context) {
      let replaced: ReplacedText | null = null
      return changeFile(context, {
        filePath: args.filePath,
        withLock: deps.withFileLock,
        keepBom: true,
        change(before, name) {
          if (before === null) return newFileText(name, args.oldString, args.newString)
          replaced = replaceText(before, {
            oldString: args.oldString,
            newString: args.newString,
            replaceAll: args.replaceAll ?? false,
          })
          return replaced.text
        },
        tell({ created, additions, deletions }, text) {
          const times = replaced === null || replaced.count === 1 ? "" : ` (${replaced.count} places)`
          const done = `${created ? "Created" : "Edited"} ${args.filePath}${times}: +${additions} −${deletions} lines.`
          const mayRead = context.known !== null
          const other = replaced === null ? null : foundOtherwise(replaced, { written: text, mayRead })
          return other === null ? done : `${done}\n${other}`
        },
      })
    },
  })
}

function newFileText(name: string, oldString: string, newString: string): string {
  if (oldString === "") return newString
  throw new Error(`${name} does not exist. Check the path with glob, or use write to create it.`)
}

interface Found {
  /** The text that is in the file now. */
  written: string
  /** An agent that does not read files sees no lines. */
  mayRead: boolean
}

/** What the model is told of a text that it did not remember exactly. */
function foundOtherwise({ strategy, text, places }: ReplacedText, { written, mayRead }: Found): string | null {
  if (strategy === null) return null
  const how = `oldString is not in the file exactly: it differs ${strategy.differs} (found by ${strategy.name}).`
  // Where a formatter came after it, its note shows the lines.
  if (!mayRead || written !== text) return how
  const file = searchedText(text)
  const lines = places.map(({ start, end }) => ({ first: lineAt(file, start), last: lineAt(file, end) }))
  return `${how} Now there is:\n${numberedLines(text, lines).shown}`
}
