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
  // A hidden tree has no waiting requests, just like one that does not exist.
  target: null,
  lists: ({ rootID }: { rootID: string }) => rootID,
}

export const permissionOperations = {
  /** Requests that wait for an answer, oldest first, of one tree or of all. */
  list: query({ ...pending, run: ({ permission }, { rootID }) => permission.pending(rootID) }),

  /**
   * Answers a permission request with `once`, `always` or `reject`. After a rejection with a `message` the model
   * reads it and goes on.
   */
  reply: mutation({
    capability: "answer",
    audit: records("answered", { facts: ["reply"], results: ["permission"] }),
    input: z.object({
      requestID: PermissionID,
      reply: PermissionReply,
      message: Message,
      /** Which patterns `always` allows instead of those of the request, and where. */
      remember: z
        .object({
          patterns: z.array(z.string().max(10_000)).max(1_000).optional(),
          within: GrantScope.optional(),
        })
        .optional(),
    }),
    run: ({ permission }, { requestID, reply, ...options }) => permission.reply(requestID, reply, options),
  }),

  /** What was always allowed and still counts, newest first. */
  grants: query({
    input: null,
    async run({ permission }, _, { visibility }) {
      const { grants, more } = await permission.grants()
      return { grants: await seenOf(visibility, grants, ({ origin }) => origin.rootID), more }
    },
  }),

  /** Puts back what a command left behind and could not keep, and allows it to the project's commands from now on. */
  allowLeft: mutation({
    capability: "answer",
    audit: records("left.allowed"),
    input: SessionInput.extend({ leftID: z.string().max(100) }),
    run: ({ permission }, { sessionID, leftID }) => permission.allowLeft(sessionID, leftID),
  }),

  /** Ends what was always allowed, from the next decision on. */
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

/**
 * Questions of agents, and plans that wait for a decision. They are stored with the permission requests of their tree,
 * and have the same events.
 */
export const questionOperations = {
  /** Questions and plans that wait for an answer, oldest first, of one tree or of all. */
  list: query({
    ...pending,
    run: async ({ permission }, { rootID }) =>
      (await permission.pending(rootID)).filter(({ metadata }) => isInquiry(metadata)),
  }),

  /** Gives one answer for each question of the request, in their order. */
  answer: mutation({
    capability: "answer",
    audit: records("answered", { results: ["status"] }),
    input: z.object({ requestID: PermissionID, answers: z.array(QuestionAnswer).max(100) }),
    run: ({ permission }, { requestID, answers }) => permission.answer(requestID, answers),
  }),

  /** Gives no answer. The agent is told so, with the message if there is one, and goes on. */
  dismiss: mutation({
    capability: "answer",
    audit: records("answered", { results: ["status"] }),
    input: z.object({ requestID: PermissionID, message: Message }),
    run: ({ permission }, { requestID, message }) => permission.reply(requestID, "reject", { message }),
  }),
}
