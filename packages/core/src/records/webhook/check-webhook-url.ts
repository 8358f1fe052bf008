import { isIP } from "node:net"
import { DocketError } from "../../ground/error/docket-error.ts"
import { allowedAddresses } from "../../ground/fetch/allowed-addresses.ts"

/** What webhooks may reach: addresses that are not public, and whether they may do without TLS. */
export interface WebhookPolicy {
  allow: readonly string[]
  http: boolean
}

/** Why a webhook may not have this address; null when it may. What its name stands for is looked at when something is sent. */
export function webhookURLProblem(text: string, { allow, http }: WebhookPolicy): string | null {
  // What a reader sees has to be what is called: a parser leaves line breaks out, and takes other letters for these.
  if (/[^\x21-\x7E]/.test(text))
    return "Write the address without spaces, line breaks and letters beyond ASCII; other names begin with xn--."
  if (!URL.canParse(text)) return "That is no whole address. Write one as https://example.org/hook."
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return "A webhook has an address that begins with https://."
  if (url.username !== "" || url.password !== "")
    return "An address with a password in it is refused: it would be shown."
  if (url.protocol === "http:" && !http && !isThisMachine(url.hostname)) {
    return 'A webhook has an address that begins with https://, unless the service has "webhooks": { "http": true }.'
  }
  const address = url.hostname.replace(/^\[|\]$/g, "")
  if (isIP(address) !== 0 && !allowedAddresses(allow)(address)) {
    return `${url.hostname} is not on the public internet. The service's own docket.json allows it by "webhooks": { "allow": ["${address}"] }.`
  }
  return null
}

/** @throws invalid_input */
export function checkWebhookURL(text: string, policy: WebhookPolicy): void {
  const problem = webhookURLProblem(text, policy)
  if (problem !== null) throw new DocketError("invalid_input", problem)
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname)
}
