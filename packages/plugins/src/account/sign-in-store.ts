import { createHash } from "node:crypto"
import type { ProviderAccount } from "@docket/core/plugged-providers"
import type { Vault } from "@docket/core/vault"
import { z } from "zod"

const Secret = z.string().max(100_000)

/** What lets a person in at a provider, in the form in which OpenCode's plugins have it. */
export const SavedAuth = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("oauth"),
    refresh: Secret,
    access: Secret,
    /** Epoch ms. */
    expires: z.number(),
    accountId: z.string().max(1_000).optional(),
    enterpriseUrl: z.string().max(1_000).optional(),
  }),
  z.object({
    type: z.literal("api"),
    key: Secret.min(1),
    metadata: z.record(z.string(), z.string().max(10_000)).optional(),
  }),
])
export type SavedAuth = z.infer<typeof SavedAuth>

const SavedSignIn = z.object({
  version: z.literal(1),
  plugin: z.string(),
  providerID: z.string(),
  /** When the person signed in (epoch ms). */
  since: z.number(),
  auth: SavedAuth,
})
export type SavedSignIn = z.infer<typeof SavedSignIn>

type Of = Pick<ProviderAccount, "plugin" | "providerID">

/** Sign-ins of plugins, each for one plugin and one provider. Nothing is kept in memory. */
export interface PluginSignIns {
  get(of: Of): Promise<SavedSignIn | null>
  /** Begins another sign-in. */
  begin(of: Of, auth: SavedAuth): Promise<void>
  /** Renews what lets the person in. Does nothing where nobody is signed in any more. @returns whether it did */
  renew(account: ProviderAccount, auth: SavedAuth): Promise<boolean>
  remove(of: Of): Promise<void>
  /** Runs work while no other process renews the sign-in. */
  alone<T>(of: Of, work: () => Promise<T>): Promise<T>
}

export function createPluginSignIns(vault: Vault, clock: () => number): PluginSignIns {
  const read = (value: unknown, of: Of): SavedSignIn | null => {
    const saved = SavedSignIn.safeParse(value).data
    // What this version cannot read is signed in to again.
    return saved === undefined || saved.plugin !== of.plugin || saved.providerID !== of.providerID ? null : saved
  }
  const written = ({ plugin, providerID, since }: ProviderAccount, auth: SavedAuth): SavedSignIn => ({
    ...{ version: 1, plugin, providerID, since, auth },
  })
  return {
    get: async (of) => read(await vault.get("sign-in", nameOf(of)), of),
    async begin(of, auth) {
      await vault.change("sign-in", nameOf(of), (before) => {
        const since = Math.max(clock(), (read(before, of)?.since ?? 0) + 1)
        return written({ plugin: of.plugin, providerID: of.providerID, since }, auth)
      })
    },
    async renew(account, auth) {
      const before = await vault.change("sign-in", nameOf(account), (saved) =>
        read(saved, account)?.since === account.since ? written(account, auth) : saved,
      )
      return read(before, account)?.since === account.since
    },
    async remove(of) {
      await vault.change("sign-in", nameOf(of), () => null)
    },
    alone: (of, work) => vault.alone("sign-in", nameOf(of), work),
  }
}

function nameOf({ plugin, providerID }: Of): string {
  return `plugin ${createHash("sha256")
    .update(JSON.stringify([plugin, providerID]))
    .digest("hex")}`
}
