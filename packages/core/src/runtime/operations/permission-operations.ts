import { z } from "zod"
import { grantMissing } from "../../acts/permission/listed-grants.ts"
import { isInquiry } from "../../ground/rule/index.ts"
import {
  GrantID,
  GrantScope,
  PermissionID,
  PermissionReply,
  QuestionAnswer,
  SessionID,
} from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { SessionInput, seenOf } from "./input.ts"
import { mutation, query } from "./operation.ts"

const Message = z.string().max(10_000).optional()

const pending = {
  input: z.object({ rootID: SessionID.optional() }),
  // Of a hidden tree, as of one that never was, nothing waits.
  target: null,
  lists: ({ rootID }: { rootID: string }) => rootID,
}

export const permissionOperations = {
  /** Requests that wait for an answer, oldest first, of one tree or of all. */
  list: query({ ...pending, run: ({ permission }, { rootID }) => permission.pending(rootID) }),

  /** Answers a permission request. A rejection with a message lets the model read it and go on. */
  reply: mutation({
    capability: "answer",
    audit: records("answered", { facts: ["reply"], results: ["permission"] }),
    input: z.object({
      requestID: PermissionID,
      reply: PermissionReply,
      message: Message,
      /** What "always" allows, in place of what the request offers, and where. */
      remember: z
        .object({
          patterns: z.array(z.string().max(10_000)).max(1_000).optional(),
          within: GrantScope.optional(),
        })
        .optional(),
    }),
    run: ({ permission }, { requestID, reply, ...options }) => permission.reply(requestID, reply, options),
  }),

  /** What was allowed for good and counts still, newest first. */
  grants: query({
    input: null,
    async run({ permission }, _, { visibility }) {
      const { grants, more } = await permission.grants()
      return { grants: await seenOf(visibility, grants, ({ origin }) => origin.rootID), more }
    },
  }),

  /** Puts back what a command left and could not keep, and lets commands of the project leave it so from now on. */
  allowLeft: mutation({
    capability: "answer",
    audit: records("left.allowed"),
    input: SessionInput.extend({ leftID: z.string().max(100) }),
    run: ({ permission }, { sessionID, leftID }) => permission.allowLeft(sessionID, leftID),
  }),

  /** Takes back what was allowed for good: it counts no more from the next judgement on. */
  revoke: mutation({
    capability: "answer",
    audit: records("grant.ended"),
    input: z.object({ grantID: GrantID }),
    async run({ permission }, { grantID }, { visibility }) {
      const { grants } = visibility === null ? { grants: [] } : await permission.grants()
      const named = grants.filter(({ id }) => id === grantID)
      const seen = await seenOf(visibility, named, ({ origin }) => origin.rootID)
      if (seen.length < named.length) throw grantMissing(grantID)
      return permission.revoke(grantID)
    },
  }),
}

/** Questions of agents, and plans that wait for a decision. They stand and end beside the permission requests of their tree, whose events tell of them. */
export const questionOperations = {
  /** Those that wait for an answer, oldest first, of one tree or of all. */
  list: query({
    ...pending,
    run: async ({ permission }, { rootID }) =>
      (await permission.pending(rootID)).filter(({ metadata }) => isInquiry(metadata)),
  }),

  /** One answer for each question of the request, in their order. */
  answer: mutation({
    capability: "answer",
    audit: records("answered", { results: ["status"] }),
    input: z.object({ requestID: PermissionID, answers: z.array(QuestionAnswer).max(100) }),
    run: ({ permission }, { requestID, answers }) => permission.answer(requestID, answers),
  }),

  /** Gives no answer: the agent is told so, with the message if there is one, and goes on. */
  dismiss: mutation({
    capability: "answer",
    audit: records("answered", { results: ["status"] }),
    input: z.object({ requestID: PermissionID, message: Message }),
    run: ({ permission }, { requestID, message }) => permission.reply(requestID, "reject", { message }),
  }),
}
