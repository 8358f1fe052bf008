import type { Attachment } from "../../ground/schema/index.ts"

/** A kept content with what its row says of it. */
export interface KeptContent {
  row: Attachment
  bytes: Buffer
}

export interface AttachmentService {
  /** A file of the tree of a session. @throws session_not_found, attachment_not_found */
  read(sessionID: string, hash: string): Promise<KeptContent>
}
