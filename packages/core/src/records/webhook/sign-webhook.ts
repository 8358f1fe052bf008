import { createHmac, randomBytes } from "node:crypto"

/** The prefix of a Base64 secret, as Standard Webhooks requires. */
const secretPrefix = "whsec_"

/** A new secret: 32 random bytes. */
export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64")
}

/**
 * The headers of a delivery as in https://www.standardwebhooks.com (1.0.0). There is a signature for each secret, and a
 * receiver needs to know only one of them.
 * @param at epoch ms of this attempt
 */
export function signWebhook(
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(at / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), "base64")
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
  })
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") }
}
