import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { CataloguedProvider, CatalogueState, ExactPackage, ProjectID } from "../../ground/schema/index.ts"
import { notRecorded, records } from "./audit-rule.ts"
import { MaybeProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"
import { invalid } from "./refusals.ts"
import { datedCatalogue, namedProvider } from "./without-settings.ts"

const ProviderInput = MaybeProjectInput.extend({ providerID: z.string().min(1).max(100) })
const toNull = () => null

/** A file is sent as its text, in the shape of models.dev. */
const RefreshInput = z.union([
  z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000) }),
  z.strictObject({ name: z.string().min(1).max(1_000), text: z.string().min(1).max(4_000_000) }),
])

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

  /**
   * What is known of models: limits, prices, what they read, whether they think; and how old that is. What is null is
   * not known. `providerID` names one provider; without it, all that a catalogue knows.
   */
  catalogue: query({
    input: MaybeProjectInput.extend({ providerID: z.string().min(1).max(100).optional() }),
    async run({ provider }, { projectID, providerID }, { asker }) {
      const { catalogues, providers } = await provider.catalogue(projectID, providerID)
      return { catalogues: asker.may("settings.read") ? catalogues : catalogues.map(datedCatalogue), providers }
    },
    rest: {
      method: "get",
      path: "/models",
      operationID: "listModels",
      summary: "Models with limits, prices and what they read, and how old that is.",
      query: {
        project: { type: "string", description: "a project id: what its configuration says counts too" },
        provider: { type: "string", maxLength: 100, description: "only the models of this provider" },
      },
      status: 200,
      answer: {
        description: "the models by provider; null is not known",
        schema: z.object({ catalogues: z.array(CatalogueState), providers: z.array(CataloguedProvider) }),
      },
      refusals: { ...invalid, 404: "there is no such project" },
      read({ query: { project, provider } }) {
        const id = ProjectID.optional().safeParse(project)
        if (!id.success) throw new DocketError("invalid_input", "name a project as ?project=prj_…")
        return { projectID: id.data, providerID: provider || undefined }
      },
    },
  }),

  /** The catalogues of models that are in use, how old each is, and where it comes from. The first one counts. */
  catalogues: query({
    input: null,
    async run({ provider }, _, { asker }) {
      const catalogues = await provider.catalogues()
      return asker.may("settings.read") ? catalogues : catalogues.map(datedCatalogue)
    },
  }),

  /**
   * Keeps a copy of a catalogue in the shape of models.dev, from an address or from a file's text. Fails with
   * `invalid_input` when it is broken, too large or half; then nothing has changed.
   */
  refreshCatalogue: mutation({
    capability: "providers.manage",
    audit: records("provider.changed"),
    input: RefreshInput,
    run: ({ provider }, from) => provider.refreshCatalogue(from),
    rest: {
      method: "post",
      path: "/models/refresh",
      operationID: "refreshModels",
      summary: "Takes what is known of models from an address, or from the text of a file.",
      body: RefreshInput,
      status: 200,
      answer: { description: "the catalogue as it is now in use", schema: CatalogueState },
      refusals: { 400: "the catalogue is not valid, and nothing has changed; says what is wrong" },
      read: ({ body }) => body,
    },
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
