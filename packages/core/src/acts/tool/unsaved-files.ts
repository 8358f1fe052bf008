import type { FileFacts } from "../../ground/file/file-stamp.ts"
import type { Files, OpenFile } from "./machine.ts"

/** A larger file is read as it is saved (bytes): editors are asked for what people write. */
const maxBytes = 1_000_000

/**
 * Files with the texts that an editor has not saved yet. Only reading sees them: what is written and undone are the files
 * on the disk, and a file with such a text is not changed.
 * @param unsavedText the text of a file in the editor; null when it is the saved one
 */
export function unsavedFiles(files: Files, unsavedText: (real: string) => Promise<string | null>): Files {
  return {
    ...files,
    async open(real) {
      const saved = await files.open(real)
      try {
        const facts = await saved.stat({ bigint: true })
        const text = facts.size > maxBytes ? null : await unsavedText(real)
        return text === null ? saved : unsavedFile(saved, facts, Buffer.from(text))
      } catch (error) {
        await saved[Symbol.asyncDispose]()
        throw error
      }
    },
    async hasStamp(real, stamp) {
      return (await files.hasStamp(real, stamp)) && (await unsavedText(real)) === null
    },
  }
}

function unsavedFile(saved: OpenFile, { ino, mode, mtimeMs }: FileFacts, bytes: Buffer): OpenFile {
  let at = 0
  return {
    isUnsaved: true,
    // No saved file has this time, so it is read again before it is changed.
    stat: async () => ({ ino, mode, mtimeMs, mtimeNs: 0n, size: BigInt(bytes.length) }),
    async read(into, offset, length, position) {
      const start = position ?? at
      const bytesRead = bytes.copy(into, offset, start, start + length)
      if (position === null) at += bytesRead
      return { bytesRead }
    },
    readFile: async () => bytes,
    [Symbol.asyncDispose]: () => saved[Symbol.asyncDispose](),
  }
}
