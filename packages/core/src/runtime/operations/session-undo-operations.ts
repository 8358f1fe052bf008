import { z } from "zod"
import { LeftFile, MessageID, PartID, Session } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { mutation } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"
import { aSession, ofSession } from "./session-route.ts"

const UndoStart = z.object({ messageID: MessageID, partID: PartID.optional() })

const busy = { 409: "the session is working" }

export const sessionUndoOperations = {
  /**
   * Undoes a session from a prompt on: conversation, todo list and files. With `partID`, a part of the message, it starts
   * at the step of the answer that has the part.
   */
  revert: mutation({
    capability: "undo",
    audit: records("undone"),
    input: SessionInput.extend(UndoStart.shape),
    run: ({ session }, { sessionID, messageID, partID }) => session.revert(sessionID, messageID, partID),
    rest: {
      method: "post",
      path: "/sessions/{id}/revert",
      operationID: "revertSession",
      summary: "Undoes from a prompt on, or from the step of an answer that has a part.",
      item: ofSession,
      body: UndoStart,
      status: 200,
      answer: aSession,
      refusals: { ...invalid, ...missing, ...busy },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
    },
  }),

  /** Brings back what was undone. `left` lists the files that somebody has changed since. */
  unrevert: mutation({
    capability: "undo",
    audit: records("redone"),
    input: SessionInput,
    run: ({ session }, { sessionID }) => session.unrevert(sessionID),
    rest: {
      method: "post",
      path: "/sessions/{id}/unrevert",
      operationID: "unrevertSession",
      summary: "Brings back what was undone. `left` lists the files that somebody has changed since.",
      item: ofSession,
      status: 200,
      answer: { description: "the session", schema: z.object({ session: Session, left: z.array(LeftFile) }) },
      refusals: { 400: "nothing is undone", ...missing, ...busy },
      read: ({ id }) => ({ sessionID: id }),
    },
  }),
}
