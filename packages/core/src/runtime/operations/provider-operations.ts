import { z } from "zod"
import { ExactPackage } from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { MaybeProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"
import { namedProvider } from "./without-settings.ts"

const ProviderInput = MaybeProjectInput.extend({ providerID: z.string().min(1).max(100) })
const toNull = () => null

export const providerOperations = {
  /**
   * Providers with their models, and how each is connected. Keys never leave the server. Without `settings.read`
   * there are no addresses.
   */
  list: query({
    input: MaybeProjectInput,
    async run({ provider }, { projectID }, { asker }) {
      const providers = await provider.list(projectID)
      return asker.may("settings.read") ? providers : providers.map(namedProvider)
    },
  }),

  /** The model that a new session gets. */
  defaultModel: query({
    input: MaybeProjectInput,
    run: ({ provider }, { projectID }) => provider.defaultModel(projectID),
  }),

  /** Stores a key for a provider. It is valid for the address that the project's configuration gives it, or the user's. */
  saveKey: mutation({
    capability: "providers.manage",
    audit: records("provider.changed", { targets: ["providerID"] }),
    input: ProviderInput.extend({ key: z.string().trim().min(1).max(10_000) }),
    run: ({ provider }, { providerID, key, projectID }) => provider.saveKey(providerID, key, projectID).then(toNull),
  }),

  /** Removes a stored key. */
  removeKey: mutation({
    capability: "providers.manage",
    audit: records("provider.changed", { targets: ["providerID"] }),
    input: ProviderInput,
    run: ({ provider }, { providerID, projectID }) => provider.removeKey(providerID, projectID).then(toNull),
  }),

  /** Looks again for model servers on this machine. */
  refresh: mutation({
    capability: "providers.manage",
    audit: notRecorded("it looks for what is there and changes nothing"),
    input: null,
    run: ({ provider }) => provider.refresh().then(toNull),
  }),

  /** Provider packages that the user agreed to install. */
  packages: query({ capability: "settings.read", input: null, run: ({ provider }) => provider.packages() }),

  /** What the registry has under a name, for the user to check. Downloads no code. */
  lookUpPackage: query({
    capability: "service.manage",
    input: z.object({ spec: z.string().min(1).max(400) }),
    run: ({ provider }, { spec }) => provider.lookUpPackage(spec),
  }),

  /** Installs exactly the package that the user checked. */
  installPackage: mutation({
    capability: "service.manage",
    audit: records("provider.changed", { targets: ["name"], facts: ["version"] }),
    input: ExactPackage,
    run: ({ provider }, agreed) => provider.installPackage(agreed),
  }),

  /** Removes an installed package. */
  removePackage: mutation({
    capability: "service.manage",
    audit: records("provider.changed", { targets: ["name"], facts: ["version"] }),
    input: ExactPackage.pick({ name: true, version: true }),
    run: ({ provider }, { name, version }) => provider.removePackage(name, version).then(toNull),
  }),
}
