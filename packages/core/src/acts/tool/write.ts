import { z } from "zod"
import { changeFile } from "./change-files.ts"
import type { WithFileLock } from "./file-locks.ts"
import { editLimits } from "./text-file.ts"
import { defineTool, type Tool } from "./tool.ts"

const description = `Writes a whole text file: makes a new one (with its directories) or replaces everything in an existing one.

- For a change in an existing file use edit: it is safer and shows a smaller diff.
- An existing file must have been read in this session, and not have changed since; else the call is refused. What you do not repeat is gone.
- Do not write documentation or summary files that nobody asked for.
- The path may be absolute or relative to the working directory; outside the project the user is asked.`

const parameters = z.strictObject({
  filePath: z.string().min(1).describe("Path of the file"),
  content: z.string().describe("The complete new content"),
})

/** Replaces or creates a file. Shares its locks with `edit`. */
export function createWriteTool(deps: { withFileLock: WithFileLock }): Tool<typeof parameters> {
  return defineTool({
    id: "write",
    description,
    parameters,
    permission: "edit",
    parallel: true,
    limits: editLimits,
    notesWriting: true,
    async execute(args, context) {
      return changeFile(context, {
        filePath: args.filePath,
        withLock: deps.withFileLock,
        keepBom: false,
        change: () => args.content,
        tell({ created, additions, deletions }) {
          const bytes = Buffer.byteLength(args.content)
          return `${created ? "Created" : "Replaced"} ${args.filePath} (${bytes} bytes, +${additions} −${deletions} lines).`
        },
      })
    },
  })
}
