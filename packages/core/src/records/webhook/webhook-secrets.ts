import { z } from "zod"
import type { Vault } from "../../ground/secret/vault.ts"

/** A secret that signs until a time (epoch ms), or until another one replaces it. */
const StoredSecrets = z
  .array(z.object({ secret: z.string().startsWith("whsec_"), until: z.number().nullable() }))
  .max(10)
export type StoredSecrets = z.infer<typeof StoredSecrets>

/** The secrets of webhooks, stored apart from their rows, so that these alone are not enough to sign. */
export interface WebhookSecrets {
  /** Empty when they are lost, for example after a restore without keys. */
  get(id: string): Promise<StoredSecrets>
  put(id: string, secrets: StoredSecrets): Promise<void>
  remove(id: string): Promise<void>
}

export function createWebhookSecrets(vault: Vault): WebhookSecrets {
  return {
    get: async (id) => StoredSecrets.safeParse(await vault.get("webhook", id)).data ?? [],
    async put(id, secrets) {
      await vault.change("webhook", id, () => secrets)
    },
    async remove(id) {
      await vault.change("webhook", id, () => null)
    },
  }
}
