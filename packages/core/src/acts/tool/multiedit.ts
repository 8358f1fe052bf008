import { setImmediate } from "node:timers/promises"
import { z } from "zod"
import { errorText } from "../../ground/error/error-text.ts"
import { changeFile } from "./change-files.ts"
import type { WithFileLock } from "./file-locks.ts"
import { QuotingError } from "./quoting-error.ts"
import { replaceText } from "./replace/replace-text.ts"
import { editLimits } from "./text-file.ts"
import { defineTool, type Tool } from "./tool.ts"

/** Most edits of one call. */
const MAX_EDITS = 100

const parameters = z.strictObject({
  filePath: z.string().min(1).describe("Path of the file"),
  edits: z
    .array(
      z.strictObject({
        oldString: z.string().describe("The exact text to replace"),
        newString: z.string().describe("The text to put there"),
        replaceAll: z.boolean().optional().describe("Replace every occurrence (default false)"),
      }),
    )
    .min(1)
    .max(MAX_EDITS)
    .describe("The edits, each on the result of those before it"),
})

/**
 * Several edits of one file, all or none. It is not described to models, because `edit` does the same; those that know it
 * from elsewhere call it by its name.
 */
export function createMultieditTool(deps: { withFileLock: WithFileLock }): Tool<typeof parameters> {
  return defineTool({
    id: "multiedit",
    description: "Makes several edits of one file, one after the other: all of them or none.",
    parameters,
    permission: "edit",
    parallel: true,
    limits: `${MAX_EDITS} edits; ${editLimits}`,
    notesWriting: true,
    hidden: true,
    async execute({ filePath, edits }, context) {
      return changeFile(context, {
        filePath,
        withLock: deps.withFileLock,
        keepBom: true,
        async change(before, name) {
          let text = before
          for (const [index, { oldString, newString, replaceAll = false }] of edits.entries()) {
            // Others get their turn: each edit may take as long as a whole search of the file.
            if (index > 0) await setImmediate()
            context.signal.throwIfAborted()
            try {
              text =
                text === null ? created(name, oldString, newString) : editOf(text, { oldString, newString, replaceAll })
            } catch (error) {
              const said = (why: string) => `Edit ${index + 1} of ${edits.length}: ${why} None of the edits was made.`
              const cause = { cause: error }
              if (error instanceof QuotingError)
                throw new QuotingError(said(error.message), said(error.unquoted), cause)
              throw new Error(said(errorText(error)), cause)
            }
          }
          return text
        },
        tell({ additions, deletions }) {
          return `Made ${edits.length} edits in ${filePath}: +${additions} −${deletions} lines.`
        },
      })
    },
  })
}

function editOf(text: string, replacement: Parameters<typeof replaceText>[1]): string {
  return replaceText(text, replacement).text
}

function created(name: string, oldString: string, newString: string): string {
  if (oldString === "") return newString
  throw new Error(`${name} does not exist. Check the path with glob, or use write to create it.`)
}
