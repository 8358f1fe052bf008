import { inner } from "./operation.ts"

export const attachmentOperations = {
  /** A file of a session's tree, by the hash of its content. `GET /api/attachment/:session/:hash` sends it. */
  read: inner({
    needs: "contents",
    run: ({ attachment }, { sessionID, hash }: { sessionID: string; hash: string }) => attachment.read(sessionID, hash),
  }),
}
