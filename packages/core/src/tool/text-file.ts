import type { FileHandle } from "node:fs/promises"

/** A text file in memory. `text` is without the byte order mark. */
export interface TextFile {
  text: string
  bom: boolean
  mode: number
  version: string
}

/** Largest file that edit and write load whole: 16 MiB. */
const MAX_EDIT_BYTES = 16 * 1024 * 1024
const BOM = "\uFEFF"

/**
 * Reads a whole UTF-8 file.
 * @throws Error when it is larger than 16 MiB or not UTF-8 text, because writing it back would damage it.
 */
export async function readTextFile(handle: FileHandle, name: string): Promise<TextFile> {
  const stat = await handle.stat()
  const version = await fileVersion(handle)
  if (stat.size > MAX_EDIT_BYTES) {
    throw new Error(`${name} has ${stat.size} bytes; files over ${MAX_EDIT_BYTES} bytes are changed with bash.`)
  }
  const bytes = await handle.readFile()
  if (bytes.includes(0)) throw notText(name)
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    const bom = decoded.startsWith(BOM)
    return { text: bom ? decoded.slice(1) : decoded, bom, mode: stat.mode & 0o7777, version }
  } catch (error) {
    throw notText(name, error)
  }
}

/** A word that changes whenever the file is written: its size and the time of its last change (ns). */
export async function fileVersion(file: { stat: FileHandle["stat"] }): Promise<string> {
  const { size, mtimeNs } = await file.stat({ bigint: true })
  return `${size}-${mtimeNs}`
}

export function encodeText(text: string, bom: boolean): Buffer {
  return Buffer.from(bom && !text.startsWith(BOM) ? BOM + text : text, "utf8")
}

function notText(name: string, cause?: unknown): Error {
  return new Error(`${name} is not UTF-8 text, so it cannot be changed as text.`, { cause })
}
