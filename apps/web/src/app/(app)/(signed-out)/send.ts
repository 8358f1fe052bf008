import { accountMessage } from "./account-messages.ts"

export type Sent<T> = { ok: true; data: T } | { ok: false; message: string }

/** Sends JSON to an account route. Errors are returned as messages for the user. */
export async function send<T>(route: string, body: object, signal?: AbortSignal): Promise<Sent<T>> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
  return await read<T>(fetch(`/api/auth/${route}`, { ...init, ...(signal && { signal }) }))
}

/** Reads from an account route. */
export async function ask<T>(route: string, signal?: AbortSignal): Promise<Sent<T>> {
  return await read<T>(fetch(`/api/auth/${route}`, signal ? { signal } : {}))
}

async function read<T>(request: Promise<Response>): Promise<Sent<T>> {
  try {
    const response = await request
    const answer: unknown = await response.json().catch(() => null)
    // The type is that of the route; the page renders only text from it.
    return response.ok ? { ok: true, data: answer as T } : { ok: false, message: messageIn(answer) }
  } catch {
    return { ok: false, message: "Docket does not answer. Look whether it runs, then try again." }
  }
}

/** The error message of Docket, better-auth or OAuth. */
function messageIn(answer: unknown): string {
  const { code, error, message, error_description: described } = record(answer)
  const words = accountMessage(code) ?? record(error).message ?? message ?? described
  return typeof words === "string" && words !== "" ? words : "That did not work. Try again."
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {}
}
