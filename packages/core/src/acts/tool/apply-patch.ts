import { z } from "zod"
import type { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"
import { changeFiles, type FileChange } from "./change-files.ts"
import type { WithFileLock } from "./file-locks.ts"
import { applyChunks } from "./patch/apply-chunks.ts"
import { MAX_FILES, type PatchChange, PatchError, parsePatch } from "./patch/parse-patch.ts"
import { editLimits } from "./text-file.ts"
import { defineTool, type Tool } from "./tool.ts"

const description = `Changes files by a patch: adds, deletes, updates and moves, all of them or none.

The patch has this form:

*** Begin Patch
*** Add File: path/new.ts
+each line of the new file
*** Update File: path/old.ts
*** Move to: path/renamed.ts
@@ function name()
 a line as it is
-a line that goes
+a line that comes
*** Delete File: path/gone.ts
*** End Patch

- "*** Move to:" is only for a file that gets another path. Paths are relative to the working directory or absolute.
- Each chunk of an update begins with "@@"; after it may stand a line above the place, such as that of the function or class. Show three lines before and after the change, exactly as they are in the file, each after one space.
- End a chunk with "*** End of File" where it stands at the end of the file.
- Read each file first, which is required. Name each file once.`

const parameters = z.strictObject({ patchText: z.string().min(1).describe("The whole patch") })

/** Changes several files at once by a patch. Shares its locks with `edit` and `write`. */
export function createApplyPatchTool(deps: { withFileLock: WithFileLock }): Tool<typeof parameters> {
  return defineTool({
    id: "apply_patch",
    description,
    parameters,
    permission: "edit",
    parallel: true,
    limits: `${MAX_FILES} files; ${editLimits}`,
    notesWriting: true,
    async execute({ patchText }, context) {
      const { title, output, changes } = await changeFiles(context, {
        changes: parsePatch(patchText).flatMap(fileChanges),
        withLock: deps.withFileLock,
        tell: (made) => ({ title: titleOf(made), output: made.map(lineOf).join("\n") }),
      })
      return { title, output, metadata: { changes, truncated: false } }
    },
  })
}

/** A moved file is two changes: the old place is removed, the new one gets the text. */
function fileChanges(change: PatchChange): FileChange[] {
  const { path } = change
  switch (change.kind) {
    case "add":
      return [{ filePath: path, keepBom: false, change: (before, name) => absent(before, name, change.text) }]
    case "delete":
      return [{ filePath: path, keepBom: false, removes: true, change: removed }]
    case "update": {
      const update = (before: string | null, name: string) =>
        change.chunks.length === 0 ? present(before, name) : applyChunks(present(before, name), change.chunks, name)
      if (change.moveTo === null) return [{ filePath: path, keepBom: true, change: update }]
      let moved: string | null = null
      const leave = (before: string | null, name: string) => {
        moved = update(before, name)
        return null
      }
      const arrive = (before: string | null, name: string) => {
        if (moved === null) throw new PatchError(`${path} has not been read yet.`)
        return absent(before, name, moved)
      }
      return [
        { filePath: path, keepBom: true, removes: true, change: leave },
        { filePath: change.moveTo, keepBom: true, change: arrive, movedFrom: path },
      ]
    }
  }
}

function absent(before: string | null, name: string, text: string): string {
  if (before === null) return text
  throw new PatchError(`${name} exists already. Use "*** Update File:" for it, or another path.`)
}

function present(before: string | null, name: string): string {
  if (before !== null) return before
  throw new PatchError(`${name} does not exist. Check the path with glob, or use "*** Add File:".`)
}

function removed(before: string | null, name: string): null {
  present(before, name)
  return null
}

function titleOf(changes: readonly FileChangeMetadata[]): string {
  const files = changes.filter(({ file, removed }) => !removed || !changes.some(({ movedFrom }) => movedFrom === file))
  const [first] = files
  return files.length === 1 && first !== undefined ? first.file : `${files.length} files`
}

function lineOf({ file, created, removed, movedFrom, additions, deletions }: FileChangeMetadata): string {
  if (removed) return `Removed ${file}.`
  const does = movedFrom === undefined ? (created ? "Added" : "Changed") : `Moved ${movedFrom} to`
  return `${does} ${file}: +${additions} −${deletions} lines.`
}
