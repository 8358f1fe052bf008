import { z } from "zod"
import { PermissionPreset, SessionVisibility } from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { mutation } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"
import { aSession, ofSession, SessionFields } from "./session-route.ts"

const SessionPatch = SessionFields.extend({
  archived: z.boolean().optional(),
  variant: z.string().min(1).nullable().optional(),
})

export const sessionChangeOperations = {
  /** Changes the title, agent, model or variant of a session, or archives it. */
  update: mutation({
    capability: "prompt",
    audit: records("session.changed", { facts: ["agent", "archived", "variant"] }),
    input: SessionInput.extend(SessionPatch.shape),
    run: ({ session }, { sessionID, ...patch }) => session.update(sessionID, patch),
    rest: {
      method: "patch",
      path: "/sessions/{id}",
      operationID: "patchSession",
      summary: "Changes the title, agent, model or variant of a session, or archives it.",
      item: ofSession,
      body: SessionPatch,
      status: 200,
      answer: aSession,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
    },
  }),

  /** Sets how much the session and those below it may do without asking. With `null` only the rules decide. */
  setPreset: mutation({
    capability: "answer",
    audit: records("session.changed", { facts: ["preset"] }),
    input: SessionInput.extend({ preset: PermissionPreset.nullable() }),
    run: ({ session }, { sessionID, preset }) => session.setPreset(sessionID, preset),
  }),

  /** Sets who sees the session's tree: the workspace, or only the caller who started it. */
  setVisibility: mutation({
    capability: "prompt",
    audit: records("session.changed", { facts: ["visibility"] }),
    input: SessionInput.extend({ visibility: SessionVisibility }),
    needs: "rows",
    run: ({ session }, { sessionID, visibility }) => session.setVisibility(sessionID, visibility),
  }),

  /**
   * Marks the transcript as read by the caller, up to the turn that ended at `at` (epoch ms, from `ended` of the
   * session).
   */
  markRead: mutation({
    capability: "read",
    audit: notRecorded("what somebody has read is their own"),
    input: SessionInput.extend({ at: z.number().int().nonnegative() }),
    needs: "rows",
    run: ({ session }, { sessionID, at }) => session.markRead(sessionID, at),
  }),

  /**
   * Stops the session and everything under it, then removes it for good. A session of somebody else takes
   * `sessions.manage`.
   */
  remove: mutation({
    capability: "prompt",
    audit: records("session.removed"),
    input: SessionInput,
    async run({ session }, { sessionID }, { asker }) {
      const { by, imported } = await session.get((await session.get(sessionID)).rootID)
      asker.requireOwn(imported?.by ?? by, "sessions.manage")
      await session.remove(sessionID)
      return null
    },
    rest: {
      method: "delete",
      path: "/sessions/{id}",
      operationID: "deleteSession",
      summary: "Stops the session and everything under it, then removes it for good.",
      item: ofSession,
      status: 200,
      answer: { description: "it is gone", schema: z.object({ deleted: z.literal(true) }) },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
      write: () => ({ deleted: true }),
    },
  }),
}
