import { createHmac, randomBytes } from "node:crypto"

/** Before the Base64 of a secret, as Standard Webhooks wants it. */
const secretPrefix = "whsec_"

/** A new secret: 32 random bytes. */
export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString("base64")
}

/**
 * The headers of a delivery as https://www.standardwebhooks.com (1.0.0) has them. With several secrets there is a
 * signature by each: a receiver that knows any of them is satisfied.
 *
 * @param at epoch ms of this try
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
