import { z } from "zod"
import { patternProblem } from "../../ground/redact/index.ts"
import { AcpConfig } from "../../ground/schema/acp-config.ts"
import { FormatterConfig } from "../../ground/schema/formatter-config.ts"
import { HooksConfig } from "../../ground/schema/hooks-config.ts"
import { LspConfig } from "../../ground/schema/lsp-config.ts"
import { McpConfig } from "../../ground/schema/mcp-config.ts"
import { PermissionConfig } from "../../ground/schema/permission.ts"
import { isPlainName, plainNameRule } from "../../ground/schema/plain-name.ts"
import { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import { replaceableTools } from "./tool-names.ts"

/** Or a reference, whose text is known only once it is filled in. */
const ModelName = z
  .string()
  .regex(/^[^/]+\/.+$|\{(?:env|file):[^{}]+\}/, { error: 'write a model as "provider/model"' })

const Address = z
  .string()
  .refine((text) => URL.canParse(text) || /\{(?:env|file):[^{}]+\}/.test(text), { error: "write a whole address" })

/** Ceilings of a whole tree: tokens, USD and calls of all its children together, and ms that anything in it works. */
const TreeConfig = z.strictObject({
  tokens: z.number().int().positive().optional(),
  cost: z.number().positive().optional(),
  timeout: z.number().int().positive().optional(),
  tool_calls: z.number().int().positive().optional(),
})

/** `agent.<name>` in docket.json. Unknown keys go to the provider as options, beside those of `options`. */
export const AgentConfig = z.looseObject({
  description: z.string().optional().describe("What it is for: models that delegate choose by this."),
  mode: z
    .enum(["primary", "subagent", "all"])
    .optional()
    .describe("primary leads a session, subagent is delegated to, all does both."),
  model: ModelName.optional().describe('The model that it works with, as "provider/model".'),
  variant: z.string().min(1).optional().describe("One of the model's named option sets, such as how hard it thinks."),
  prompt: z.string().optional().describe("Its system prompt."),
  temperature: z.number().optional().describe("Sampling temperature."),
  top_p: z.number().optional().describe("Nucleus sampling."),
  steps: z.number().int().positive().optional().describe("Most model calls in a turn."),
  color: z.string().optional().describe("The color of its name."),
  hidden: z.boolean().optional().describe("It is offered to nobody."),
  disable: z.boolean().optional().describe("It does not exist."),
  permission: PermissionConfig.optional().describe("What it may do, above the rules for every agent."),
  tools: z
    .record(z.string(), z.boolean())
    .optional()
    .describe("Tools that are on or off; an older way to write permission."),
  options: z.record(z.string(), z.unknown()).optional().describe("What its models' provider is told with every call."),
  isolation: z
    .enum(["none", "worktree"])
    .optional()
    .describe("worktree gives each child of this agent a git worktree of its own."),
  review: z.literal("required").optional().describe("Each task of this agent ends only once a person has approved it."),
  acp: AcpConfig.optional().describe(
    "A program of other people that does its work, by the Agent Client Protocol. That of a project counts once it is trusted.",
  ),
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
  npm: z
    .string()
    .optional()
    .describe('The package that speaks with it; "@ai-sdk/openai-compatible" for a new provider without one.'),
  name: z.string().optional().describe("What people read instead of its id."),
  env: z
    .array(z.string())
    .optional()
    .describe("Names of environment variables that hold its key; the first one set counts."),
  options: z
    .looseObject({
      baseURL: Address.optional().describe('Its address, such as "http://127.0.0.1:8000/v1".'),
      apiKey: z.string().optional().describe('Its key, best as "{env:NAME}".'),
      headers: z.record(z.string(), z.string()).optional().describe("Headers of every call."),
    })
    .optional()
    .describe("What its package is told."),
  ...shaping,
  models: z
    .record(
      z.string(),
      z.looseObject({
        id: z.string().optional().describe("What the provider calls it, when that is another name."),
        name: z.string().optional().describe("What people read instead of its id."),
        reasoning: z.boolean().optional().describe("It thinks before it answers."),
        tool_call: z.boolean().optional().describe("It can call tools."),
        limit: z
          .object({ context: z.number().int(), input: z.number().int().positive(), output: z.number().int() })
          .partial()
          .optional()
          .describe("How many tokens it takes and gives."),
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
    .optional()
    .describe("Its models, by the names that it knows; {} where there is nothing more to say."),
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

/** In RE2's syntax: its time is linear in the text. */
const RedactPattern = z.string().superRefine((pattern, context) => {
  const problem = patternProblem(pattern)
  if (problem !== null) context.addIssue({ code: "custom", message: `the pattern ${problem}` })
})

/** Sites are copied into a response header, so nothing else may stand in them. */
const EmbedSite = z
  .string()
  .max(200)
  .regex(/^https?:\/\/(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, {
    error: 'write a site as "https://wiki.example.org"',
  })

/** As browsers spell it: another spelling would never match. */
const AppOrigin = z.string().refine(
  (text) => {
    if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false
    return new URL(text).origin === text
  },
  { error: 'write an origin as "https://app.example.org", without a path' },
)

/** An address, or a network as `10.0.0.0/8`. */
const AddressRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: 'write an address or a network as "10.0.0.0/8"',
})

/** `command.<name>` in docket.json: what `/name` in a prompt stands for. OpenCode's shape. */
export const CommandConfig = z.strictObject({
  template: z.string().trim().min(1),
  description: z.string().optional(),
  argument_hint: z.string().optional().describe("What to type after the name, in words."),
  agent: z.string().min(1).optional(),
  model: ModelName.optional(),
  subtask: z.boolean().optional().describe("A subagent does the work."),
})
export type CommandConfig = z.infer<typeof CommandConfig>

const PluginName = z.string().trim().min(1).max(300)
const PlainPluginName = PluginName.refine(isPlainName, { error: plainNameRule })

/** docket.json. Several files merge, the one nearest to the project wins. */
export const Config = z.strictObject({
  $schema: z.string().optional().describe("Where this schema lies, for editors."),
  model: ModelName.optional().describe('The model that new sessions get, as "provider/model".'),
  small_model: ModelName.optional().describe('The model for small work such as titles, as "provider/model".'),
  describe: z
    .enum(["asked", "ended"])
    .optional()
    .describe("When a small model describes what a session changed: when somebody asks (default), or also at its end."),
  default_agent: z.string().optional().describe("The agent of new sessions; build unless set."),
  primary_tools: z
    .array(z.string())
    .optional()
    .describe("Tools that only agents that lead a session have; what is delegated is done without them."),
  provider: z
    .record(z.string(), ProviderConfig)
    .optional()
    .describe("Providers of models, by id: new ones, or changes to those that ship with Docket."),
  disabled_providers: z
    .array(z.string().min(1))
    .optional()
    .describe("Ids of providers that are switched off; lists of several files add up."),
  enabled_providers: z
    .array(z.string().min(1))
    .optional()
    .describe("Ids of the only providers that are used; of several files what all of them name."),
  agent: z
    .record(z.string(), AgentConfig)
    .optional()
    .describe("Agents by name: new ones, or changes to those that ship with Docket."),
  command: z.record(z.string(), CommandConfig).optional().describe("What /name in a prompt stands for, by name."),
  permission: PermissionConfig.optional().describe(
    "What agents may do: an action for everything, or actions by tool and by pattern. The last rule that matches decides.",
  ),
  instructions: z
    .array(z.string())
    .optional()
    .describe("Files, patterns of files and addresses whose text joins the system prompt."),
  delegation: DelegationConfig.optional().describe("Ceilings for delegated work; those of an agent apply on top."),
  sandbox: SandboxConfig.optional().describe(
    "What commands see and reach. A project's own file can only make it tighter.",
  ),
  lsp: LspConfig.optional().describe(
    "Language servers that check what agents write: changes and further ones by id, or false for none. Without it those that are installed.",
  ),
  formatter: FormatterConfig.optional().describe(
    "Formatters for what agents write: changes and further ones by id, or false for none. Without it the one that the project's own files choose.",
  ),
  mcp: McpConfig.optional().describe(
    "MCP servers by name, whose tools agents get. Those of a project count once it is trusted.",
  ),
  hooks: HooksConfig.optional().describe(
    "Programs and addresses that are told what happens and may change or block it, by event. Claude Code's shape; hooks of several files add up.",
  ),
  share: z
    .enum(["manual", "disabled"], { error: 'write "manual" or "disabled"; nothing is shared by itself' })
    .optional()
    .describe("Whether links to sessions may be made: by people, or not at all."),
  share_author: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .optional()
    .describe("Whom shared pages name as their author; nobody unless set."),
  share_embed_sites: z
    .array(EmbedSite)
    .max(50)
    .optional()
    .describe('Sites whose pages may show a share in a frame, as "https://wiki.example.org"; none unless set.'),
  auth: z
    .enum(["team", "local"])
    .optional()
    .describe(
      'Whether people sign in with accounts: "team", or "local" for one person on this machine. Counts in your own file only. "local" where a team.json sets up a team is refused; DOCKET_AUTH wins over both.',
    ),
  api: z
    .strictObject({
      origins: z
        .array(AppOrigin)
        .max(50)
        .optional()
        .describe('Origins of other apps whose pages may call with a token, as "https://app.example.org".'),
    })
    .optional()
    .describe("What other apps may do. Counts in your own file only."),
  audit: z
    .strictObject({
      days: z
        .number()
        .int()
        .min(1)
        .max(36_500)
        .optional()
        .describe("How long it is kept who did what; 365 unless set."),
    })
    .optional()
    .describe("The audit log of the workspace. Counts in your own file only."),
  webhooks: z
    .strictObject({
      allow: z
        .array(AddressRange)
        .max(50)
        .optional()
        .describe('Addresses and networks that webhooks may reach though they are not public, as "10.0.0.0/8".'),
      http: z.boolean().optional().describe("Whether webhooks off this machine may do without TLS."),
    })
    .optional()
    .describe("What webhooks may reach. Counts in your own file only."),
  repositories: z
    .strictObject({
      allow: z
        .array(AddressRange)
        .max(50)
        .optional()
        .describe('Addresses and networks of servers that are allowed though they are not public, as "10.0.0.0/8".'),
      http: z.boolean().optional().describe("Whether servers may do without TLS."),
    })
    .optional()
    .describe("From where projects of repositories may come. Counts in your own file only."),
  websearch: z
    .strictObject({
      provider: z.enum(["exa", "parallel", "brave", "tavily", "searxng"]),
      api_key: z.string().min(1).optional().describe('The key, best as "{env:NAME}". SearXNG needs none.'),
      url: Address.optional().describe("Another address of the engine; needed for SearXNG."),
    })
    .superRefine(({ provider, api_key, url }, context) => {
      const message = "the engine cannot be asked without it, so agents are offered no web search"
      if (provider === "searxng" ? url === undefined : api_key === undefined && provider !== "exa")
        context.addIssue({ code: "custom", path: [provider === "searxng" ? "url" : "api_key"], message })
    })
    .optional()
    .describe("The search engine that agents may ask; without one they are offered no web search."),
  plugin: z
    .array(z.union([PlainPluginName, z.tuple([PlainPluginName, z.record(z.string(), z.unknown())])]))
    .max(50)
    .optional()
    .describe(
      "Plugins: packages by name, with an exact version or not, or paths of files; each alone or with its options.",
    ),
  required_plugins: z
    .array(PluginName)
    .max(50)
    .optional()
    .describe(
      'Plugins without which no turn begins, such as guards: names of packages, or of files as "guard.ts". The names of all files count.',
    ),
  custom_tools: z
    .strictObject({
      replaces: z
        .array(z.enum(replaceableTools))
        .optional()
        .describe("Docket's tools whose place a tool file of the same name takes, under the same permission."),
    })
    .optional()
    .describe("What files that define tools may do besides. Counts in your own file only."),
  tool_search: z
    .enum(["auto", "always", "never"])
    .optional()
    .describe(
      "Whether models search for tools of servers, plugins and files instead of being told of all: auto (default) does when they are more than 30 or take a tenth of the context.",
    ),
  redact: z
    .record(z.string().trim().min(1).max(60), RedactPattern)
    .optional()
    .describe("What a share hides besides secrets: patterns in RE2's syntax, by what readers see in their place."),
})
export type Config = z.infer<typeof Config>
