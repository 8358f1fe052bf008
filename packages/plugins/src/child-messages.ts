import { ShownOfCall, ToolDescription } from "@docket/core/tool-messages"
import { z } from "zod"

const PromptOfMethod = z.object({
  type: z.enum(["text", "select"]),
  key: z.string().max(100),
  message: z.string().max(500),
  placeholder: z.string().max(300).nullish(),
  options: z
    .array(z.object({ label: z.string(), value: z.string(), hint: z.string().nullish() }))
    .max(100)
    .nullish(),
  when: z.object({ key: z.string(), op: z.enum(["eq", "neq"]), value: z.string() }).nullish(),
})

/** One way to sign in. */
export const AuthMethod = z.object({
  type: z.enum(["oauth", "api"]),
  label: z.string().max(200),
  /** It has something to do besides taking a key. */
  authorizes: z.boolean(),
  prompts: z.array(PromptOfMethod).max(20),
})
export type AuthMethod = z.infer<typeof AuthMethod>

const Loaded = z.object({
  plugin: z.int(),
  error: z.string().max(4_000).optional(),
  hooks: z.array(z.string()).max(50).default([]),
  tools: z
    .array(ToolDescription.extend({ id: z.string().max(200) }))
    .max(200)
    .default([]),
  /** What is wrong with tools that are left out. */
  refused: z.array(z.string()).max(200).default([]),
  /** What its hook made of the configuration; `others` names the sections of which nothing counts. */
  changed: z
    .object({
      agent: z.record(z.string(), z.unknown()),
      command: z.record(z.string(), z.unknown()),
      others: z.array(z.string()),
    })
    .default({ agent: {}, command: {}, others: [] }),
  auth: z
    .object({ provider: z.string().max(200), loads: z.boolean(), methods: z.array(AuthMethod).max(20) })
    .nullable()
    .catch(null)
    .default(null),
  provider: z
    .object({ id: z.string().max(200) })
    .nullable()
    .catch(null)
    .default(null),
})
/** What a plugin has, once its process has loaded it. */
export type LoadedPlugin = z.infer<typeof Loaded>

/** A message of the process. Which one it is, its first key says. */
export const ChildMessage = z.union([
  z.object({ begin: z.int(), plugin: z.int() }),
  z.object({ done: z.int(), output: z.unknown().optional(), error: z.string().optional() }),
  z.object({ loaded: z.array(Loaded) }),
  z.object({ pong: z.int() }),
  z.object({ shown: z.int(), parts: ShownOfCall }),
  z.object({ ask: z.int(), question: z.int(), request: z.unknown() }),
  z.object({
    fetch: z.int(),
    method: z.string().max(20),
    path: z.string().max(10_000),
    headers: z.array(z.tuple([z.string(), z.string()])).max(200),
    body: z.string().nullable(),
  }),
  z.object({ cancel: z.int() }),
  z.object({
    head: z.int(),
    status: z.int().min(200).max(599),
    headers: z.array(z.tuple([z.string(), z.string()])).max(200),
  }),
  z.object({ piece: z.int(), bytes: z.string().max(100_000) }),
])
export type ChildMessage = z.infer<typeof ChildMessage>
