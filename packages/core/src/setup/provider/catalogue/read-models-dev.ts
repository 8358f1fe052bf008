import { z } from "zod"
import { DocketError } from "../../../ground/error/docket-error.ts"
import type { KeptProvider, ModelFacts } from "../../../ground/schema/index.ts"

const kinds = ["text", "image", "pdf", "audio", "video"] as const
/** Kinds that a newer catalogue may name are left out; the rest of the entry counts. */
const Kinds = z.array(z.string().max(50)).transform((all) => kinds.filter((kind) => all.includes(kind)))
const Tokens = z.number().int().nonnegative()
const Price = z.number().nonnegative()

const Model = z.object({
  name: z.string().max(200).optional(),
  limit: z.object({ context: Tokens, input: Tokens, output: Tokens }).partial().optional(),
  cost: z.object({ input: Price, output: Price, cache_read: Price, cache_write: Price }).partial().optional(),
  reasoning: z.boolean().optional(),
  tool_call: z.boolean().optional(),
  modalities: z.object({ input: Kinds, output: Kinds }).partial().optional(),
  // A day that is written in another way is not known; it decides nothing.
  last_updated: z
    .string()
    .regex(/^\d{4}-\d\d(-\d\d)?$/)
    .optional()
    .catch(undefined),
})

const Provider = z.object({
  name: z.string().max(200).optional(),
  models: z.record(z.string().min(1).max(200), Model),
})

/** The shape of models.dev, which the package has too. Addresses and packages in it are never read. */
const Providers = z.record(z.string().regex(/^[\w.@-]{1,100}$/), Provider)

/** The largest file that is read (bytes). */
export const catalogueBytes = 16 * 1024 * 1024

/** One provider of the shape of models.dev. @throws ZodError */
export function readProvider(id: string, given: unknown): KeptProvider {
  return toKept(id, Provider.parse(given))
}

/** The same catalogue in fewer bytes: without what is not read of it. @throws as readModelsDev */
export function shortenModelsDev(text: string): string {
  return JSON.stringify(parse(text))
}

/** A whole catalogue, from a text. @throws invalid_input saying what is wrong with it */
export function readModelsDev(text: string): KeptProvider[] {
  return Object.entries(parse(text)).map(([id, provider]) => toKept(id, provider))
}

function parse(text: string): z.infer<typeof Providers> {
  if (Buffer.byteLength(text) > catalogueBytes)
    throw refused(`it is larger than ${catalogueBytes / 1024 / 1024} MiB, the most that is read`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw refused("it is no JSON, or only a part of it")
  }
  const parsed = Providers.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refused(`${issue?.path.join(".") || "its text"}: ${issue?.message ?? "not understood"}`)
  }
  if (!Object.values(parsed.data).some(({ models }) => Object.keys(models).length > 0))
    throw refused("it names no model")
  return parsed.data
}

function toKept(id: string, { name, models }: z.infer<typeof Provider>): KeptProvider {
  return { id, name: name ?? id, models: Object.entries(models).map(([modelID, model]) => toFacts(modelID, model)) }
}

function toFacts(id: string, model: z.infer<typeof Model>): ModelFacts {
  const { name = id, limit, cost, reasoning, tool_call, modalities, last_updated } = model
  return {
    id,
    name,
    // Catalogues write 0 where a limit is not known, or where there is none.
    limit: { context: limit?.context || null, input: limit?.input || null, output: limit?.output || null },
    // One price without the other says nothing of what a step costs.
    cost:
      cost?.input === undefined || cost.output === undefined
        ? null
        : {
            input: cost.input,
            output: cost.output,
            cacheRead: cost.cache_read ?? null,
            cacheWrite: cost.cache_write ?? null,
          },
    reasoning: reasoning ?? null,
    toolCall: tool_call ?? null,
    inputs: modalities?.input ?? null,
    outputs: modalities?.output ?? null,
    updated: last_updated ?? null,
  }
}

function refused(why: string): DocketError {
  return new DocketError(
    "invalid_input",
    `The catalogue was not taken, and nothing has changed: ${why}. Give a whole file in the shape of models.dev/api.json.`,
  )
}
