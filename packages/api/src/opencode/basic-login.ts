import type { IncomingMessage } from "node:http"

/**
 * OpenCode's clients send their password by Basic authentication, for the user `opencode`. Docket's token is that
 * password: from here on, the request has it as a bearer token.
 */
export function acceptBasicLogin({ url = "", headers }: IncomingMessage): void {
  if (!url.startsWith("/opencode/")) return
  const sent = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? "")?.[1]
  if (sent === undefined) return
  const [user, ...password] = Buffer.from(sent, "base64").toString("utf8").split(":")
  if (user === "opencode") headers.authorization = `Bearer ${password.join(":")}`
}
