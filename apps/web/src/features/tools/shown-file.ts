import type { FilePart, Part, ToolPart } from "@docket/core/schema"

type Named = Pick<FilePart, "mime" | "url" | "filename" | "size" | "width" | "height">

/** A file of a part that is kept by its content, as a page shows it. */
export interface ShownFile {
  key: string
  name: string
  kind: "picture" | "file" | "left-out"
  /** Its address on this service; null for one that was left out. */
  address: string | null
  mime: string
  /** Bytes; null where a row does not say. */
  size: number | null
  /** Pixels; null where a row does not say. */
  width: number | null
  height: number | null
}

/** The address of a kept content, by the part that names it. */
export type FileAddress = (part: Pick<Part, "id" | "sessionID">, hash: string) => string

const kept = /^attachment:([0-9a-f]{64})$/
const pictures = /^image\/(?:png|jpeg|gif|webp)$/

/** Null for a file without a kept content: a mention, a short text, a file in a row of an older version. */
export function shownFile(part: Pick<Part, "id" | "sessionID">, file: Named, addressOf: FileAddress): ShownFile | null {
  const { mime, url, filename, size = null, width = null, height = null } = file
  const [, hash] = kept.exec(url) ?? []
  const isPicture = pictures.test(mime)
  const shared = { key: url, mime, size, width, height, name: filename || (isPicture ? "picture" : "file") }
  if (url === "left-out:") return { ...shared, kind: "left-out", address: null }
  if (hash === undefined) return null
  return { ...shared, kind: isPicture ? "picture" : "file", address: addressOf(part, hash) }
}

/** The files that a call returned, each content once. */
export function returnedFiles(part: ToolPart, addressOf: FileAddress): ShownFile[] {
  if (part.state.status !== "completed") return []
  const files = (part.state.attachments ?? []).flatMap((file) => shownFile(part, file, addressOf) ?? [])
  return files.filter(({ key }, index) => files.findIndex((other) => other.key === key) === index)
}

/** The address for people who are signed in. */
export const ownFileAddress: FileAddress = ({ sessionID }, hash) => `/api/attachment/${sessionID}/${hash}`

/** "[picture left out]": what stands for a file that is not shown. */
export function leftOutLabel({ mime, name }: Pick<ShownFile, "mime" | "name">): string {
  const kind = mime.startsWith("image/") ? "picture" : mime === "application/pdf" ? "PDF" : "file"
  return `[${kind} left out] ${name}`
}
