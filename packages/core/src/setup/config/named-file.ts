import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { isWithin } from "../../ground/file/is-within.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"

/** A file that a command names, as it is now. */
export interface NamedFile {
  /** Where it really lies; for a link out of the project, the link. */
  real: string
  /**
   * The SHA-256 (hex) of its content, or of where a link leads that leaves the project. Null where nobody can say what would
   * run: it is too large, no regular file, or a link out of the project to what is not there, as a command may make it there
   * where only commands see it.
   */
  sha256: string | null
  /** Bytes that were read. */
  bytes: number
}

/** What is at a path of the project; null for nothing, and for a directory. */
export async function readNamedFile(top: string, file: string, limit: number): Promise<NamedFile | null> {
  try {
    const { real, size, bytes } = await readWithin(top, file, limit)
    return { real, sha256: size > limit ? null : sha256Of(bytes), bytes: bytes.length }
  } catch {
    return await whatElse(top, file)
  }
}

async function whatElse(top: string, file: string): Promise<NamedFile | null> {
  const unknown = { real: file, sha256: null, bytes: 0 }
  const real = await realpathOfDeepest(file).catch(() => null)
  if (real === null) return unknown
  const facts = await stat(real).catch(() => null)
  if (facts?.isDirectory()) return null
  if (isWithin(top, real)) return facts === null ? null : unknown
  return facts?.isFile() ? { ...unknown, sha256: sha256Of(`leads to ${real}`) } : unknown
}

function sha256Of(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex")
}
