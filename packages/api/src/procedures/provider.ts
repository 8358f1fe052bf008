import { notRecorded, records } from "@docket/core/operations"
import {
  ExactPackage,
  type InstalledPackage,
  type ModelRef,
  type PackageFacts,
  type ProviderInfo,
} from "@docket/core/schema"
import { z } from "zod"
import { namedProvider, seesSettings } from "../access/without-settings.ts"
import { allowed, router } from "../trpc.ts"
import { MaybeProjectInput } from "./input.ts"

const ProviderInput = MaybeProjectInput.extend({ providerID: z.string().min(1).max(100) })

export const providerRouter = router({
  /**
   * Providers with their models and how each is connected. Keys never leave the server, and who may not see the
   * configuration is told no addresses.
   */
  list: allowed("read")
    .input(MaybeProjectInput)
    .query(async ({ ctx, input }): Promise<ProviderInfo[]> => {
      const providers = await ctx.runtime.provider.list(input.projectID)
      return seesSettings(ctx) ? providers : providers.map(namedProvider)
    }),

  /** The model that a new session gets. */
  defaultModel: allowed("read")
    .input(MaybeProjectInput)
    .query(({ ctx, input }): Promise<ModelRef> => ctx.runtime.provider.defaultModel(input.projectID)),

  /** For the address that the provider has in the project, or without one by the user's own configuration. */
  saveKey: allowed("providers.manage", records("provider.changed", { targets: ["providerID"] }))
    .input(ProviderInput.extend({ key: z.string().trim().min(1).max(10_000) }))
    .mutation(async ({ ctx, input }): Promise<null> => {
      await ctx.runtime.provider.saveKey(input.providerID, input.key, input.projectID)
      return null
    }),

  removeKey: allowed("providers.manage", records("provider.changed", { targets: ["providerID"] }))
    .input(ProviderInput)
    .mutation(async ({ ctx, input }): Promise<null> => {
      await ctx.runtime.provider.removeKey(input.providerID, input.projectID)
      return null
    }),

  /** Looks again for model servers on this machine. */
  refresh: allowed("providers.manage", notRecorded("it looks for what is there and changes nothing")).mutation(
    async ({ ctx }): Promise<null> => {
      await ctx.runtime.provider.refresh()
      return null
    },
  ),

  /** Provider packages that the user agreed to install. */
  packages: allowed("settings.read").query(({ ctx }): Promise<InstalledPackage[]> => ctx.runtime.provider.packages()),

  /** What the registry has under a name, for the user to look at. Downloads no code. */
  lookUpPackage: allowed("service.manage")
    .input(z.object({ spec: z.string().min(1).max(400) }))
    .query(({ ctx, input }): Promise<PackageFacts> => ctx.runtime.provider.lookUpPackage(input.spec)),

  /** Installs exactly what the user looked at. */
  installPackage: allowed("service.manage", records("provider.changed", { targets: ["name"], facts: ["version"] }))
    .input(ExactPackage)
    .mutation(({ ctx, input }): Promise<InstalledPackage> => ctx.runtime.provider.installPackage(input)),

  removePackage: allowed("service.manage", records("provider.changed", { targets: ["name"], facts: ["version"] }))
    .input(ExactPackage.pick({ name: true, version: true }))
    .mutation(async ({ ctx, input }): Promise<null> => {
      await ctx.runtime.provider.removePackage(input.name, input.version)
      return null
    }),
})
