import { PatchError, parsePatch } from "./patch/parse-patch.ts"

/** The paths that the input of a call names as files to change, as the model wrote them. None where it names none. */
export function namedPaths(tool: string, input: unknown): string[] {
  const { filePath, patchText }: { filePath?: unknown; patchText?: unknown } = Object(input)
  if (tool !== "apply_patch") return typeof filePath === "string" ? [filePath] : []
  if (typeof patchText !== "string") return []
  try {
    return parsePatch(patchText).flatMap((change) =>
      change.kind === "update" && change.moveTo !== null ? [change.path, change.moveTo] : [change.path],
    )
  } catch (error) {
    if (error instanceof PatchError) return []
    throw error
  }
}
