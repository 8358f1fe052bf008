import { attachedHash, type FileFacts, type Part } from "../schema/index.ts"

/** A file as a part names it. */
export interface NamedFile extends FileFacts {
  mime: string
  url: string
  filename?: string | undefined
}

/** The files of a part: that of a prompt or an answer, or those that a call returned. */
export function filesOf(part: Part): readonly NamedFile[] {
  if (part.type === "file") return [part]
  return part.type === "tool" && part.state.status === "completed" ? (part.state.attachments ?? []) : []
}

/** The hashes of the kept contents that a part names. */
export function hashesOf(part: Part): string[] {
  return filesOf(part).flatMap(({ url }) => attachedHash(url) ?? [])
}

/** The part with other files in place of its own; the same object when nothing differs. */
export function withFiles<P extends Part>(part: P, change: (file: NamedFile) => NamedFile): P {
  const files = filesOf(part)
  const changed = files.map(change)
  if (changed.every((file, index) => file === files[index])) return part
  // The kind of part stays the same: only its files differ.
  return replaced(part, changed) as P
}

function replaced(part: Part, files: NamedFile[]): Part {
  const [first] = files
  if (part.type === "file" && first !== undefined) {
    const { size: _size, width: _width, height: _height, pages: _pages, ...rest } = part
    return { ...rest, ...first }
  }
  if (part.type !== "tool" || part.state.status !== "completed") return part
  return { ...part, state: { ...part.state, attachments: files } }
}
