import { readBoundedFile } from "@docket/core/file"

/** Bytes of a file that is compared with its buffer; a larger one is read from the disk. */
const maxBytes = 1_000_000
/** The most characters of a buffer that are sent. */
const maxText = 2_000_000

/**
 * The text of a file as the editor has it, when that differs from what is saved; null for any other file. A file that
 * the editor cannot read, or that is no text, is left to the service, which says what is wrong.
 */
export async function unsavedText(
  file: string,
  readInEditor: (file: string) => Promise<string>,
): Promise<string | null> {
  const saved = await savedText(file)
  if (saved === null) return null
  const buffer = await readInEditor(file).catch(() => null)
  return buffer === null || buffer.length > maxText || plain(buffer) === plain(saved) ? null : buffer
}

async function savedText(file: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBoundedFile(file, maxBytes))
  } catch (error) {
    return isMissing(error) ? "" : null
  }
}

/** Editors may give line ends, the last one and a byte order mark in a form of their own. */
function plain(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replace(/\n$/, "")
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT"
}
