import { records } from "@docket/core/operations"
import { askedText, describeAsk, isInquiry } from "@docket/core/rule"
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
  if (isInquiry(request.metadata) || hasHidden(request)) return null
  const message = `Docket's agent asks: ${askedText(request)}\n\n${wholeOf(request)}`
  if (message.length > mostShown) return null
  const answer = { type: "string" as const, title: "May it?", enum: ["once", "reject"], enumNames: ["Yes, once", "No"] }
  return {
    message,
    requestedSchema: { type: "object", properties: { answer }, required: ["answer"] },
  }
}

/** All that a card on the desk shows. */
function wholeOf(request: PermissionRequest): string {
  const { tool, act, title, command, input, diff, reasons } = describeAsk(request)
  const where = act.where === null ? "" : ` ${act.where}`
  const what = command === null || act.what.length > 0 ? `${act.does}${where}:\n${act.what.join("\n")}` : act.does
  return [`${tool}: ${what}`, title, command, input, diff, reasons.join("\n")].filter(Boolean).join("\n\n")
}

/** A change that is too large for its request has no diff in it. */
function hasHidden({ metadata }: PermissionRequest): boolean {
  if (metadata.kind === "change") return metadata.diffOmitted
  return metadata.kind === "changes" && metadata.changes.some(({ diffOmitted }) => diffOmitted)
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
