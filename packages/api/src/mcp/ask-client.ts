import { records } from "@docket/core/operations"
import { askedText, isInquiry, visibleText } from "@docket/core/rule"
import { PermissionID, type PermissionRequest } from "@docket/core/schema"
import { z } from "zod"
import { requireAccess } from "../access/may.ts"
import type { McpCall } from "./mcp-call.ts"

/** The most characters of a question. What is longer waits on the desk: nobody should agree to what they do not see. */
const mostShown = 4_000

/** A question to a client's user, in the protocol's form. */
export interface ClientQuestion {
  message: string
  requestedSchema: {
    type: "object"
    properties: { answer: { type: "string"; title: string; enum: string[]; enumNames: string[] } }
    required: string[]
  }
}

/**
 * The question to a client's user whether a call may go on, with all that it would do. Null for what only the desk can
 * show. "Always" is for the desk too, which shows what it means.
 */
export function questionOf(request: PermissionRequest): ClientQuestion | null {
  const { metadata, patterns } = request
  if (isInquiry(metadata)) return null
  const whole = visibleText(metadata.kind === "command" ? metadata.command : patterns.join("\n"))
  if (whole.length > mostShown) return null
  const answer = { type: "string" as const, title: "May it?", enum: ["once", "reject"], enumNames: ["Yes, once", "No"] }
  return {
    message: `Docket's agent asks: ${askedText(request)}\n\n${request.permission}:\n${whole}`,
    requestedSchema: { type: "object", properties: { answer }, required: ["answer"] },
  }
}

const Accepted = z.object({ action: z.literal("accept"), content: z.object({ answer: z.enum(["once", "reject"]) }) })

/** The user's answer; null when they gave none, so that the request goes on waiting on the desk. */
export function replyIn(result: unknown): "once" | "reject" | null {
  return Accepted.safeParse(result).data?.content.answer ?? null
}

const Response = z.object({ jsonrpc: z.literal("2.0"), id: PermissionID, result: z.unknown() })

/** An answer to the question about a permission request; null when the user gave none. */
export interface PostedAnswer {
  requestID: string
  reply: "once" | "reject" | null
}

/**
 * The answer in a message that a client posts by itself. The question had the id of the permission request, so any node
 * understands the answer. Null for any other message.
 */
export function answerIn(message: unknown): PostedAnswer | null {
  const posted = Response.safeParse(message).data
  return posted === undefined ? null : { requestID: posted.id, reply: replyIn(posted.result) }
}

/** Answers the request for the caller. Without an answer it goes on waiting. @throws forbidden */
export async function takeAnswer(
  { identity, agents, recorder, asker }: Pick<McpCall, "identity" | "agents" | "recorder" | "asker">,
  { requestID, reply }: PostedAnswer,
): Promise<void> {
  if (reply === null) return
  requireAccess(identity, "answer")
  const at = recorder?.now() ?? 0
  await agents.permission.reply({ requestID, reply }, asker)
  await recorder?.done(answered, { call: "mcp elicitation", at, input: { requestID, reply } })
}

const answered = records("answered", { facts: ["reply"] })
