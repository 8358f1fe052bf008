import type { ModelInfo } from "@docket/core/schema"
import { z } from "zod"

/** Models that a plugin may name of a provider. */
const mostModels = 500

const count = z.int().nonnegative()
const price = z.number().nonnegative()

/** A model as OpenCode's plugins name it, as far as Docket uses it. */
const GivenModel = z.looseObject({
  id: z.string().min(1).max(300),
  name: z.string().max(300).optional(),
  cost: z
    .looseObject({
      input: price,
      output: price,
      cache: z.looseObject({ read: price.default(0), write: price.default(0) }).optional(),
    })
    .optional(),
  limit: z.looseObject({ context: count, input: z.int().positive().optional(), output: count }).optional(),
  capabilities: z
    .looseObject({
      reasoning: z.boolean().optional(),
      toolcall: z.boolean().optional(),
      input: z.record(z.string(), z.boolean()).optional(),
    })
    .optional(),
})
type GivenModel = z.infer<typeof GivenModel>

interface MergedModels {
  models: ModelInfo[]
  /** What is left out, and why; null for nothing. */
  problem: string | null
}

/** The models of a provider with those that a plugin adds or changes; a plugin takes none away. */
export function mergeModels(providerID: string, known: readonly ModelInfo[], given: unknown): MergedModels {
  const all = z.record(z.string(), z.unknown()).safeParse(given)
  if (!all.success) return { models: [...known], problem: `Its models of ${providerID} are not of the right form.` }
  const entries = Object.entries(all.data)
  const models = new Map(known.map((model) => [model.id, model]))
  const unfit: string[] = []
  for (const [key, value] of entries.slice(0, mostModels)) {
    const model = GivenModel.safeParse(value).data
    if (model === undefined) unfit.push(key.slice(0, 100))
    else models.set(model.id, mergeModel(providerID, models.get(model.id), model))
  }
  const problems = [
    ...(unfit.length > 0
      ? [`Models left out, as they are not of the right form: ${unfit.slice(0, 10).join(", ")}.`]
      : []),
    ...(entries.length > mostModels ? [`Of its ${entries.length} models, ${mostModels} count.`] : []),
  ]
  return { models: [...models.values()], problem: problems.length === 0 ? null : problems.join(" ") }
}

const inputs = ["image", "pdf", "audio", "video"] as const

function mergeModel(providerID: string, known: ModelInfo | undefined, given: GivenModel): ModelInfo {
  const { id, name, cost, limit, capabilities } = given
  const read = capabilities?.input
  return {
    ...{ id, providerID, name: name ?? known?.name ?? id },
    limit:
      limit === undefined
        ? (known?.limit ?? { context: 0, output: 0 })
        : { context: limit.context, output: limit.output, ...(limit.input !== undefined && { input: limit.input }) },
    cost:
      cost === undefined
        ? (known?.cost ?? null)
        : {
            ...{ input: cost.input, output: cost.output },
            ...{ cacheRead: cost.cache?.read ?? 0, cacheWrite: cost.cache?.write ?? 0 },
          },
    reasoning: capabilities?.reasoning ?? known?.reasoning ?? false,
    toolCall: capabilities?.toolcall ?? known?.toolCall ?? true,
    ...(read === undefined
      ? known?.inputs && { inputs: known.inputs }
      : { inputs: inputs.filter((kind) => read[kind] === true) }),
    variants: [],
    rehearsal: false,
  }
}
