import { SessionID } from "@docket/core/schema"
import type { z } from "zod"
import { V1Error, type V1Request } from "./v1-request.ts"

/** @throws V1Error 400 with the first problem */
export function parsed<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  if (!isRecord(body)) throw new V1Error(400, "body must be a JSON object")
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join(".") ?? ""
  throw new V1Error(400, issue?.message.includes(field) ? issue.message : `${field}: ${issue?.message}`)
}

/**
 * The number that an address names, null for anything that is none. No item is numbered 0, which also stands for what
 * is too large to be one.
 */
export function itemNumber(text: string): number | null {
  if (!/^\d+$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : 0
}

/** The session that a `conversation_id` names; null for 0. @throws V1Error 400 when the tenant has none such */
export async function conversation({ tenant }: V1Request, id: string | number): Promise<string | null> {
  if (id === 0) return null
  const session = SessionID.safeParse(id)
  if (session.success && (await tenant.hasSession(session.data))) return session.data
  throw unknownConversation()
}

export function unknownConversation(): V1Error {
  return new V1Error(400, "conversation_id does not exist for this tenant")
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
