import { records } from "@docket/core/operations"
import { isInquiry } from "@docket/core/rule"
import { PermissionID, type PermissionRequest } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { z } from "zod"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { answersOf, permissionShape, questionShape } from "./ask-shape.ts"
import {
  bodyOf,
  callOf,
  namedProjectID,
  type OpencodeApp,
  type OpencodeCall,
  type OpencodeContext,
  type OpencodeDeps,
  sessionIDOf,
} from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"

const Reply = z.enum(["once", "always", "reject"])
const ReplyBody = z.object({ reply: Reply, message: z.string().max(10_000).optional() })
const RespondBody = z.object({ response: Reply })
const AnswersBody = z.object({ answers: z.array(z.array(z.string().max(10_000)).max(100)).max(100) })

/** What waits for a person, and the answers to it. A plan that waits for a decision is a question. */
export function addAskRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.get("/permission", requires("read"), async (c) => {
    const requests = (await waiting(callOf(c, deps))).filter(({ metadata }) => !isInquiry(metadata))
    return answerJson(c, requests.map(permissionShape) satisfies Sdk.PermissionListResponse, 200)
  })
  app.get("/question", requires("read"), async (c) => {
    const questions = (await waiting(callOf(c, deps))).map(questionShape).filter((one) => one !== null)
    return answerJson(c, questions satisfies Sdk.QuestionListResponse, 200)
  })
  app.post("/permission/:requestID/reply", requires("answer", records("answered")), async (c) => {
    const { reply, message } = await bodyOf(c, ReplyBody)
    await callOf(c, deps).agents.permission.reply({ requestID: requestIDOf(c, "requestID"), reply, message })
    return answerJson(c, true satisfies Sdk.PermissionReplyResponse, 200)
  })
  // The form of the older SDK.
  app.post("/session/:id/permissions/:permissionID", requires("answer", records("answered")), async (c) => {
    const call = callOf(c, deps)
    const [sessionID, requestID] = [sessionIDOf(c), requestIDOf(c, "permissionID")]
    const { response } = await bodyOf(c, RespondBody)
    const { rootID } = await call.agents.session.get({ sessionID })
    const requests = await call.agents.permission.list({ rootID })
    if (!requests.some((one) => one.id === requestID && one.sessionID === sessionID))
      throw new OpencodeError(404, `The session ${sessionID} does not wait for an answer to ${requestID}.`)
    await call.agents.permission.reply({ requestID, reply: response })
    return answerJson(c, true satisfies Sdk.PermissionRespondResponse, 200)
  })
  app.post("/question/:requestID/reply", requires("answer", records("answered")), async (c) => {
    const { question } = callOf(c, deps).agents
    const requestID = requestIDOf(c, "requestID")
    const { answers } = await bodyOf(c, AnswersBody)
    const found = (await question.list({})).find(({ id }) => id === requestID)
    // The answer to one that is not there says why.
    const questions = found !== undefined && isInquiry(found.metadata) ? found.metadata.questions : []
    await question.answer({ requestID, answers: answersOf({ questions }, answers) })
    return answerJson(c, true satisfies Sdk.QuestionReplyResponse, 200)
  })
  app.post("/question/:requestID/reject", requires("answer", records("answered")), async (c) => {
    await callOf(c, deps).agents.question.dismiss({ requestID: requestIDOf(c, "requestID") })
    return answerJson(c, true satisfies Sdk.QuestionRejectResponse, 200)
  })
}

/** What waits in the project that the call names, or in all. */
async function waiting(call: OpencodeCall): Promise<PermissionRequest[]> {
  const requests = await call.agents.permission.list({})
  const projectID = await namedProjectID(call)
  if (projectID === undefined) return requests
  const roots = new Set(requests.map(({ rootID }) => rootID))
  const sessions = await Promise.all([...roots].map((sessionID) => call.agents.session.get({ sessionID })))
  const within = new Set(sessions.flatMap((session) => (session.projectID === projectID ? [session.id] : [])))
  return requests.filter(({ rootID }) => within.has(rootID))
}

/** @throws OpencodeError 400 */
function requestIDOf(c: OpencodeContext, name: string): string {
  const id = PermissionID.safeParse(c.req.param(name))
  if (id.success) return id.data
  throw new OpencodeError(400, "The address has no id of a request. One begins with per_.")
}
