import type { StoredSecrets, WebhookSecrets } from "../webhook-secrets.ts"

/** Secrets kept in memory only. */
export function memorySecrets(): WebhookSecrets {
  const kept = new Map<string, StoredSecrets>()
  return {
    get: async (id) => kept.get(id) ?? [],
    async put(id, secrets) {
      kept.set(id, secrets)
    },
    async remove(id) {
      kept.delete(id)
    },
  }
}
