import { z } from "zod"
import { changeFile } from "./change-files.ts"
import type { WithFileLock } from "./file-locks.ts"
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
        tell({ created, additions, deletions }) {
          const times = replaced === null || replaced.count === 1 ? "" : ` (${replaced.count} places)`
          const done = `${created ? "Created" : "Edited"} ${args.filePath}${times}: +${additions} −${deletions} lines.`
          const other = replaced === null ? null : foundOtherwise(replaced, { mayRead: context.known !== null })
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

/** What the model is told of a text that it did not remember exactly. An agent that does not read files sees no lines. */
function foundOtherwise(replaced: ReplacedText, { mayRead }: { mayRead: boolean }): string | null {
  if (replaced.strategy === null) return null
  const { name, differs } = replaced.strategy
  const how = `oldString is not in the file exactly: it differs ${differs} (found by ${name}).`
  return mayRead ? `${how} Now there is:\n${changedLines(replaced)}` : how
}

/** Lines shown around a replaced place. */
const CONTEXT_LINES = 2
/** More lines of a result are not shown. */
const SHOWN_LINES = 30
/** Characters of a line that are shown. */
const SHOWN_LINE = 200

/** The replaced places as the file has them now, with line numbers, for a model that remembered them otherwise. */
function changedLines({ text, places }: ReplacedText): string {
  const file = searchedText(text)
  const shown = new Set<number>()
  for (const { start, end } of places) {
    const first = Math.max(0, lineAt(file, start) - CONTEXT_LINES)
    const last = Math.min(file.lines.length - 1, lineAt(file, end) + CONTEXT_LINES)
    for (let line = first; line <= last && shown.size < SHOWN_LINES; line++) shown.add(line)
  }
  return [...shown].map((line) => `${line + 1}: ${(file.lines[line] ?? "").trimEnd().slice(0, SHOWN_LINE)}`).join("\n")
}
