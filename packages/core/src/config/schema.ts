import { z } from "zod"
import { patternProblem } from "../redact/index.ts"
import { PermissionConfig } from "../schema/permission.ts"
import { SandboxConfig } from "./sandbox-config.ts"

const ModelName = z.string().regex(/^[^/]+\/.+$/, { error: 'write a model as "provider/model"' })

/** Ceilings of a whole tree: tokens, USD and calls of all its children together, and ms that anything in it works. */
const TreeConfig = z.strictObject({
  tokens: z.number().int().positive().optional(),
  cost: z.number().positive().optional(),
  timeout: z.number().int().positive().optional(),
  tool_calls: z.number().int().positive().optional(),
})

/** `agent.<name>` in docket.json. Unknown keys go to the provider as options, beside those of `options`. */
export const AgentConfig = z.looseObject({
  description: z.string().optional(),
  mode: z.enum(["primary", "subagent", "all"]).optional(),
  model: ModelName.optional(),
  /** One of the model's named option sets, such as how hard it thinks. */
  variant: z.string().min(1).optional(),
  prompt: z.string().optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  steps: z.number().int().positive().optional(),
  color: z.string().optional(),
  hidden: z.boolean().optional(),
  disable: z.boolean().optional(),
  permission: PermissionConfig.optional(),
  tools: z.record(z.string(), z.boolean()).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  /** `worktree` gives each child of this agent a git worktree of its own. */
  isolation: z.enum(["none", "worktree"]).optional(),
  /** Each task of this agent ends only once a person has approved it. */
  review: z.literal("required").optional(),
  /** Ceilings of this agent's tasks. */
  limits: z
    .strictObject({
      tokens: z.number().int().positive().optional(),
      cost: z.number().positive().optional(),
      timeout: z.number().int().positive().optional(),
      tool_calls: z.number().int().positive().optional(),
      /** Of a whole tree that this agent leads. */
      tree: TreeConfig.optional(),
    })
    .optional(),
})
export type AgentConfig = z.infer<typeof AgentConfig>

const TagName = z.string().regex(/^[\w-]{1,40}$/, { error: "write the tag's name without brackets" })

/** What is laid around the calls of a model, or of every model of a provider. */
const shaping = {
  /** True: thoughts stand in the text between `<think>` and `</think>`; a name: between these tags; false: nowhere. */
  reasoning_tag: z
    .union([z.boolean(), TagName, z.strictObject({ tag: TagName.optional(), begins_inside: z.boolean().optional() })])
    .optional(),
  /** What a call is told where neither Docket nor the agent says it. */
  settings: z
    .strictObject({
      temperature: z.number(),
      top_p: z.number(),
      top_k: z.number(),
      max_output_tokens: z.number().int().positive(),
      presence_penalty: z.number(),
      frequency_penalty: z.number(),
      seed: z.number().int(),
      stop: z.array(z.string()),
    })
    .partial()
    .optional(),
  /** Names of files in the directory `middleware` beside the user's own docket.json. */
  middleware: z
    .array(z.string().regex(/^[\w-]{1,100}$/, { error: "write the name of a file in middleware/, without its ending" }))
    .optional(),
}

/**
 * `provider.<id>` in docket.json: OpenCode's shape, so that a file can be carried over. Keys that Docket
 * does not use are ignored.
 */
export const ProviderConfig = z.object({
  npm: z.string().optional(),
  name: z.string().optional(),
  env: z.array(z.string()).optional(),
  options: z
    .looseObject({
      baseURL: z.url().optional(),
      apiKey: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  ...shaping,
  models: z
    .record(
      z.string(),
      z.looseObject({
        id: z.string().optional(),
        name: z.string().optional(),
        reasoning: z.boolean().optional(),
        tool_call: z.boolean().optional(),
        limit: z
          .object({ context: z.number().int(), input: z.number().int().positive(), output: z.number().int() })
          .partial()
          .optional(),
        /** What it reads; files of other kinds are named to it instead of sent. */
        modalities: z
          .looseObject({ input: z.array(z.enum(["text", "image", "pdf", "audio", "video"])).optional() })
          .optional(),
        cost: z
          .object({ input: z.number(), output: z.number(), cache_read: z.number(), cache_write: z.number() })
          .partial()
          .optional(),
        options: z.record(z.string(), z.unknown()).optional(),
        ...shaping,
        /** Named sets of options that a prompt or an agent may choose; `false` takes one of Docket's away. */
        variants: z.record(z.string(), z.union([z.record(z.string(), z.unknown()), z.literal(false)])).optional(),
      }),
    )
    .optional(),
})
export type ProviderConfig = z.infer<typeof ProviderConfig>

/** Ceilings for delegated work; those of an agent's own entry apply to it on top, and children inherit them. */
export const DelegationConfig = z.strictObject({
  /** Levels of children below a root; 2 unless set. */
  depth: z.number().int().min(0).max(8).optional(),
  /** Children of one session that run at once; 8 unless set. The rest wait in order. */
  concurrency: z.number().int().min(1).max(64).optional(),
  /** Of one child: tokens of all kinds, USD, ms, calls. */
  tokens: z.number().int().positive().optional(),
  cost: z.number().positive().optional(),
  timeout: z.number().int().positive().optional(),
  tool_calls: z.number().int().positive().optional(),
  /** Of a whole tree. */
  tree: TreeConfig.optional(),
  /** Every task ends only once a person has approved it. */
  review: z.literal("required").optional(),
  /** False leaves the [DELEGATION CONTEXT] block out of child prompts. */
  envelope: z.boolean().optional(),
})
export type DelegationConfig = z.infer<typeof DelegationConfig>

/** As RE2 reads it: its time is linear in the text. */
const RedactPattern = z.string().superRefine((pattern, context) => {
  const problem = patternProblem(pattern)
  if (problem !== null) context.addIssue({ code: "custom", message: `the pattern ${problem}` })
})

/** Nothing else may stand in the header that lists them. */
const EmbedSite = z
  .string()
  .max(200)
  .regex(/^https?:\/\/(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, {
    error: 'write a site as "https://wiki.example.org"',
  })

/** docket.json. Several files merge, the one nearest to the project wins. */
export const Config = z.strictObject({
  $schema: z.string().optional(),
  model: ModelName.optional(),
  small_model: ModelName.optional(),
  default_agent: z.string().optional(),
  provider: z.record(z.string(), ProviderConfig).optional(),
  agent: z.record(z.string(), AgentConfig).optional(),
  permission: PermissionConfig.optional(),
  instructions: z.array(z.string()).optional(),
  delegation: DelegationConfig.optional(),
  sandbox: SandboxConfig.optional(),
  /** Whether links to sessions may be made: by people, or not at all. */
  share: z
    .enum(["manual", "disabled"], { error: 'write "manual" or "disabled"; nothing is shared by itself' })
    .optional(),
  /** Whom shared pages name as their author; nobody unless set. */
  share_author: z.string().trim().min(1).max(80).optional(),
  /** Sites whose pages may show a share in a frame, as `https://wiki.example.org`; none unless set. */
  share_embed_sites: z.array(EmbedSite).max(50).optional(),
  /** What a share hides besides secrets: patterns by what readers see in their place. */
  redact: z.record(z.string().trim().min(1).max(60), RedactPattern).optional(),
})
export type Config = z.infer<typeof Config>
