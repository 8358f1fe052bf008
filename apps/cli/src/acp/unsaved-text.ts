import { readBoundedFile } from "@docket/core/file"

/** Bytes of a file that is compared with its buffer; a larger one is read from the disk. */
const maxBytes = 1_000_000

/**
 * The text of a file as the editor has it, when that differs from what is saved; null for any other file. A file that
 * the editor cannot read is left to the service, which says what is wrong.
 */
export async function unsavedText(
  file: string,
  readInEditor: (file: string) => Promise<string>,
): Promise<string | null> {
  const saved = await readBoundedFile(file, maxBytes).then(String, (error: unknown) => (isMissing(error) ? "" : null))
  if (saved === null) return null
  const buffer = await readInEditor(file).catch(() => null)
  return buffer === null || buffer === saved ? null : buffer
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT"
}
