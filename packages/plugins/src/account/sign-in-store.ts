import { createHash } from "node:crypto"
import type { ProviderAccount } from "@docket/core/plugged-providers"
import type { SecretFile } from "@docket/core/secret-file"
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
}

export function createPluginSignIns(secrets: SecretFile, clock: () => number): PluginSignIns {
  let writing: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const done = writing.then(work)
    writing = done.catch(() => {})
    return done
  }
  const get: PluginSignIns["get"] = async (of) => {
    const saved = SavedSignIn.safeParse(await secrets.get(nameOf(of))).data
    // What this version cannot read is signed in to again.
    return saved === undefined || saved.plugin !== of.plugin || saved.providerID !== of.providerID ? null : saved
  }
  const save = ({ plugin, providerID, since }: ProviderAccount, auth: SavedAuth) =>
    secrets.set(nameOf({ plugin, providerID }), { version: 1, plugin, providerID, since, auth } satisfies SavedSignIn)
  return {
    get,
    begin: (of, auth) =>
      inOrder(async () => {
        const before = await get(of)
        await save({ ...of, since: Math.max(clock(), (before?.since ?? 0) + 1) }, auth)
      }),
    renew: (account, auth) =>
      inOrder(async () => {
        if ((await get(account))?.since !== account.since) return false
        await save(account, auth)
        return true
      }),
    remove: (of) => inOrder(() => secrets.remove(nameOf(of))),
  }
}

function nameOf({ plugin, providerID }: Of): string {
  return `plugin ${createHash("sha256")
    .update(JSON.stringify([plugin, providerID]))
    .digest("hex")}`
}
