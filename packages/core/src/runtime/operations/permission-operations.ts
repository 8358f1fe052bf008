import { z } from "zod"
import { grantMissing } from "../../acts/permission/listed-grants.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { isInquiry } from "../../ground/rule/index.ts"
import {
  GrantID,
  GrantScope,
  PermissionID,
  PermissionReply,
  PermissionRequest,
  QuestionAnswer,
  SessionID,
} from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { SessionInput, seenOf } from "./input.ts"
import { mutation, query, type RestRequest } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"

const Message = z.string().max(10_000).optional()

/** Which patterns `always` allows instead of those of the request, and where. */
const Remember = z.object({
  patterns: z.array(z.string().max(10_000)).max(1_000).optional(),
  within: GrantScope.optional(),
})

const Answers = z.array(QuestionAnswer).max(100)

/** What routes of `/v1` share. */
const ofRequest = {
  item: { schema: PermissionID, called: "permission" },
  status: 200,
  answer: { description: "the request as it was answered", schema: PermissionRequest },
  refusals: {
    400: "the answer does not fit the request; says what is wrong",
    ...missing,
    409: "it was answered already",
  },
} as const
const listed = {
  method: "get",
  query: { session: { type: "string", description: "a session id, of a root: those of its tree" } },
  status: 200,
  refusals: invalid,
  async read({ query: { session } }: RestRequest<unknown>) {
    if (session === undefined) return {}
    const rootID = SessionID.safeParse(session)
    if (!rootID.success) throw new DocketError("invalid_input", "name a session: ?session=ses_…")
    return { rootID: rootID.data }
  },
} as const

const pending = {
  input: z.object({ rootID: SessionID.optional() }),
  // A hidden tree has no waiting requests, just like one that does not exist.
  target: null,
  lists: ({ rootID }: { rootID: string }) => rootID,
}

export const permissionOperations = {
  /** Requests that wait for an answer, oldest first, of one tree or of all. */
  list: query({
    ...pending,
    needs: "rows",
    run: ({ permission }, { rootID }) => permission.pending(rootID),
    rest: {
      ...listed,
      path: "/permissions",
      operationID: "listPermissions",
      summary: "What waits for an answer, oldest first: requests of agents, and their questions.",
      answer: { description: "the requests", schema: z.object({ permissions: z.array(PermissionRequest) }) },
      write: (permissions) => ({ permissions }),
      withoutAgents: () => ({ permissions: [] }),
    },
  }),

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
      remember: Remember.optional(),
    }),
    needs: "rows",
    run: ({ permission }, { requestID, reply, ...options }) => permission.reply(requestID, reply, options),
    rest: {
      ...ofRequest,
      method: "post",
      path: "/permissions/{id}/reply",
      operationID: "replyPermission",
      summary: "Allows a request once or always, or rejects it, with words for the agent.",
      body: z.object({ reply: PermissionReply, message: Message, remember: Remember.optional() }),
      read: ({ id, body }) => ({ requestID: id, ...body }),
    },
  }),

  /** What was always allowed and still counts, newest first. */
  grants: query({
    input: null,
    needs: "rows",
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
    needs: "rows",
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
    needs: "rows",
    run: async ({ permission }, { rootID }) =>
      (await permission.pending(rootID)).filter(({ metadata }) => isInquiry(metadata)),
    rest: {
      ...listed,
      path: "/questions",
      operationID: "listQuestions",
      summary: "Questions and plans of agents that wait for an answer, oldest first.",
      answer: { description: "the questions", schema: z.object({ questions: z.array(PermissionRequest) }) },
      write: (questions) => ({ questions }),
      withoutAgents: () => ({ questions: [] }),
    },
  }),

  /** Gives one answer for each question of the request, in their order. */
  answer: mutation({
    capability: "answer",
    audit: records("answered", { results: ["status"] }),
    input: z.object({ requestID: PermissionID, answers: Answers }),
    needs: "rows",
    run: ({ permission }, { requestID, answers }) => permission.answer(requestID, answers),
    rest: {
      ...ofRequest,
      method: "post",
      path: "/questions/{id}/answer",
      operationID: "answerQuestion",
      summary: "Gives one answer for each question of the request, in their order.",
      body: z.object({ answers: Answers }),
      read: ({ id, body: { answers } }) => ({ requestID: id, answers }),
    },
  }),

  /** Gives no answer. The agent is told so, with the message if there is one, and goes on. */
  dismiss: mutation({
    capability: "answer",
    audit: records("answered", { results: ["status"] }),
    input: z.object({ requestID: PermissionID, message: Message }),
    needs: "rows",
    run: ({ permission }, { requestID, message }) => permission.reply(requestID, "reject", { message }),
    rest: {
      ...ofRequest,
      method: "post",
      path: "/questions/{id}/dismiss",
      operationID: "dismissQuestion",
      summary: "Gives no answer: the agent is told so, and goes on.",
      body: z.object({ message: Message }),
      read: ({ id, body: { message } }) => ({ requestID: id, message }),
    },
  }),
}
