import type { BigIntStats } from "node:fs"
import { settledStamp } from "../../ground/file/file-stamp.ts"
import type { OpenFile } from "./machine.ts"
import type { FileContent } from "./tool.ts"

/** A text file in memory. `text` is without the byte order mark. */
export interface TextFile extends FileContent {
  text: string
  /** The file begins with a byte order mark. */
  bom: boolean
  /** See `fileVersion`. */
  version: string
}

/** Largest file that edit and write load whole: 16 MiB. */
const MAX_EDIT_BYTES = 16 * 1024 * 1024
/** What bounds a change of a text file, in words for people. */
export const editLimits = `files of ${MAX_EDIT_BYTES / 1024 ** 2} MiB`
const BOM = "\uFEFF"

/**
 * Reads a whole UTF-8 file.
 * @throws Error when it is larger than 16 MiB or not UTF-8 text, because writing it back would damage it.
 */
export async function readTextFile(handle: OpenFile, name: string): Promise<TextFile> {
  const facts = await handle.stat({ bigint: true })
  if (facts.size > MAX_EDIT_BYTES) {
    throw new Error(`${name} has ${facts.size} bytes; files over ${MAX_EDIT_BYTES} bytes are changed with bash.`)
  }
  const bytes = await handle.readFile()
  if (bytes.includes(0)) throw notText(name)
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    const bom = decoded.startsWith(BOM)
    const text = bom ? decoded.slice(1) : decoded
    return { text, bom, bytes, mode: permissionsOf(facts), version: versionOf(facts), stamp: settledStamp(facts) }
  } catch (error) {
    throw notText(name, error)
  }
}

/** A text that changes with every write to the file: its size and the time of its last change (ns). */
export async function fileVersion(file: Pick<OpenFile, "stat">): Promise<string> {
  return versionOf(await file.stat({ bigint: true }))
}

export function versionOf({ size, mtimeNs }: Pick<BigIntStats, "size" | "mtimeNs">): string {
  return `${size}-${mtimeNs}`
}

export function permissionsOf({ mode }: Pick<BigIntStats, "mode">): number {
  return Number(mode & 0o7777n)
}

export function encodeText(text: string, bom: boolean): Buffer {
  return Buffer.from(bom && !text.startsWith(BOM) ? BOM + text : text, "utf8")
}

function notText(name: string, cause?: unknown): Error {
  return new Error(`${name} is not UTF-8 text, so it cannot be changed as text.`, { cause })
}
