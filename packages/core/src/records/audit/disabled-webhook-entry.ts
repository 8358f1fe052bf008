import type { CreateId } from "../../ground/id/create-id.ts"
import type { AuditEntry, Webhook } from "../../ground/schema/index.ts"

/** As the log names who did what nobody asked for. */
const service = { id: "docket", name: "Docket" }

/** What the audit log says of a webhook that the service disabled by itself. */
export function disabledWebhookEntry(createID: CreateId, { id, name, disabled, time }: Webhook): AuditEntry {
  return {
    ...{ id: createID("audit"), at: disabled?.at ?? time.updated, act: "webhook.disabled", person: service },
    ...{ call: "webhook.disabled", via: "service", credential: null, address: null },
    targets: { webhook: id, name },
    facts: { why: disabled?.why === "gone" ? "answered 410" : "failed for days" },
  }
}
