import { z } from "zod"
import { AttachmentID, SessionID } from "./ids.ts"

/** SHA-256 of a content, in hex. */
export const ContentHash = z.string().regex(/^[0-9a-f]{64}$/)

/** Says that a session has a content, which is kept once in the data directory. Its address is `attachmentAddress`. */
export const Attachment = z.object({
  id: AttachmentID,
  rootID: SessionID,
  sessionID: SessionID,
  hash: ContentHash,
  /** By the content where that says it. */
  mime: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** Pixels, of a picture. */
  width: z.number().int().positive().nullable(),
  height: z.number().int().positive().nullable(),
  /** Of a PDF. */
  pages: z.number().int().positive().nullable(),
  time: z.object({ created: z.number() }),
})
export type Attachment = z.infer<typeof Attachment>

/** What a part tells of the file behind its address, so that nobody has to read the file to show or count it. */
export const FileFacts = z.object({
  /** Bytes. */
  size: z.number().int().nonnegative().optional(),
  /** Pixels, of a picture. */
  width: z.number().int().positive().optional(),
  height: z.number().int().positive().optional(),
  /** Of a PDF. */
  pages: z.number().int().positive().optional(),
})
export type FileFacts = z.infer<typeof FileFacts>

const scheme = "attachment:"

/** The address of a kept content, as parts hold it. It says nothing outside its tree. */
export function attachmentAddress(hash: string): string {
  return `${scheme}${hash}`
}

/** The hash in the address of a kept content; null for any other address. */
export function attachedHash(url: string): string | null {
  if (!url.startsWith(scheme)) return null
  return ContentHash.safeParse(url.slice(scheme.length)).data ?? null
}

/** Stands for the address of a file that is not shown to readers of a link. */
export const leftOutAddress = "left-out:"
