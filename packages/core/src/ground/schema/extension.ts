import { z } from "zod"
import { Caller } from "./caller.ts"
import { ProjectID } from "./ids.ts"

/** A program or a server of others that works in turns, by its name. */
export const ExtensionRef = z.object({
  /** A server of the Model Context Protocol, a plugin, or hooks of a settings file. */
  kind: z.enum(["mcp", "plugin", "hook"]),
  name: z.string().min(1).max(300),
  /** The project that brings it; null for what the user configures for all projects. */
  projectID: ProjectID.nullable(),
})
export type ExtensionRef = z.infer<typeof ExtensionRef>

/** A person's decision whether an extension runs. */
export const ExtensionSwitch = ExtensionRef.extend({
  /** The digest of the reference. */
  key: z.string(),
  state: z.enum(["on", "off"]),
  by: Caller,
  /** Epoch ms. */
  time: z.object({ changed: z.number() }),
})
export type ExtensionSwitch = z.infer<typeof ExtensionSwitch>

/** What an extension did in the last days, as one runtime counted it. */
export const ExtensionUse = ExtensionRef.extend({
  /** The digest of the reference and the runtime. */
  key: z.string(),
  /** The newest day last; `day` counts days since 1970 (UTC), `ms` is the time that calls took together. */
  days: z.array(z.object({ day: z.int(), calls: z.int(), failures: z.int(), ms: z.number() })),
  /** The last failure in words. */
  failure: z.object({ at: z.number(), text: z.string() }).nullable(),
  /** Epoch ms. */
  time: z.object({ used: z.number() }),
})
export type ExtensionUse = z.infer<typeof ExtensionUse>

/** What the plugins of a project added to its configuration when they were loaded last. */
export const PluginAdditions = z.object({
  projectID: ProjectID,
  /** Of the plugins that were loaded: of others it says nothing. */
  digest: z.string(),
  /** As the plugins gave them. `by` is the title of the plugin, `file` where it is configured. */
  agents: z.array(
    z.object({ name: z.string(), value: z.unknown(), isOwn: z.boolean(), by: z.string(), file: z.string() }),
  ),
  commands: z.array(z.object({ name: z.string(), value: z.unknown(), isOwn: z.boolean() })),
  /** Names of the plugins' tools, of which their agents have rules. */
  tools: z.array(z.string()),
  /** Epoch ms. */
  time: z.object({ loaded: z.number() }),
})
export type PluginAdditions = z.infer<typeof PluginAdditions>

/** Something that a way to sign in asks for. */
export const SignInPrompt = z.object({
  /** `text`: any. `select`: one of the options. `secret`: a key, which is not shown. */
  type: z.enum(["text", "select", "secret"]),
  key: z.string(),
  message: z.string(),
  placeholder: z.string().nullable(),
  options: z.array(z.object({ label: z.string(), value: z.string(), hint: z.string().nullable() })),
  /** It is asked only where another one was answered like this; null for always. */
  when: z.object({ key: z.string(), op: z.enum(["eq", "neq"]), value: z.string() }).nullable(),
})
export type SignInPrompt = z.infer<typeof SignInPrompt>

/** A way to sign in that an extension offers. */
export const SignInWay = z.object({ label: z.string(), prompts: z.array(SignInPrompt) })
export type SignInWay = z.infer<typeof SignInWay>

/** Which of its ways, by its place in the list, with what it asks for. */
export const SignInChoice = z.object({
  way: z.int().min(0).max(100),
  inputs: z.record(z.string().max(100), z.string().max(20_000)).default({}),
})
export type SignInChoice = z.infer<typeof SignInChoice>

/** An extension of a project, as people see it. */
export const ExtensionItem = z.object({
  ref: ExtensionRef,
  title: z.string(),
  /** Where it is configured: a file (absolute) and a line from 1, if it has one. */
  origin: z.object({ file: z.string(), line: z.int().nullable() }).nullable(),
  /**
   * - `ready`: it runs or can be called. `starting`: it is being started. `idle`: it starts when it is needed.
   * - `waits`: it waits for trust or for consent. `needs-login`: somebody has to sign in to it.
   * - `failed`: it does not work, see `error`. `off`: it is switched off.
   */
  state: z.enum(["ready", "starting", "idle", "waits", "needs-login", "failed", "off"]),
  /** Sentences about what it may do. */
  may: z.array(z.string()),
  tools: z.array(z.object({ id: z.string(), description: z.string() })),
  error: z.string().nullable(),
  /** The package that it needs, which is installed once somebody agrees to it. */
  installs: z.string().optional(),
  /** The provider to which it can sign the user in, and how. */
  signIn: z
    .object({
      provider: z.string(),
      ways: z.array(SignInWay),
      /** `pending`: a person is asked to finish it. */
      state: z.enum(["in", "out", "pending"]),
      /** Why the last one failed. */
      failure: z.string().nullable(),
    })
    .optional(),
  /** Its last lines, oldest first. */
  log: z.array(z.string()),
})
export type ExtensionItem = z.infer<typeof ExtensionItem>

/** How an extension is taken away for good. */
export const ExtensionRemoval = z.object({
  /**
   * `entry`: Docket takes its entry out of the user's docket.json. `file`: a person removes its file. `stays`: others have it,
   * so that it is only switched off here.
   */
  how: z.enum(["entry", "file", "stays"]),
  /** What goes, or what to do instead. */
  words: z.string(),
})
export type ExtensionRemoval = z.infer<typeof ExtensionRemoval>

/** The same, with what people decided of it and what it did in the last seven days. */
export const ListedExtension = ExtensionItem.extend({
  removal: ExtensionRemoval,
  switched: z.object({ state: z.enum(["on", "off"]), by: Caller, at: z.number() }).nullable(),
  use: z.object({
    calls: z.int(),
    failures: z.int(),
    ms: z.number(),
    /** When it was called last (epoch ms). */
    used: z.number().nullable(),
    failure: z.object({ at: z.number(), text: z.string() }).nullable(),
  }),
})
export type ListedExtension = z.infer<typeof ListedExtension>

/** A sign-in to an extension that a person has to finish. */
export const BegunSignIn = z.object({
  /** Where the person goes: a whole web address, to be opened in a browser. */
  address: z.string(),
  /** What the person types there; null where nothing is typed. */
  code: z.string().nullable(),
  /** The browser ends on an address that has to be given back, where it cannot reach the service. */
  isRedirected: z.boolean(),
  /** The person is given a code there, which has to be given back. */
  givesCode: z.boolean().optional(),
  /** What the extension says to the person. */
  note: z.string().optional(),
  /** Epoch ms. */
  expiresAt: z.number(),
})
export type BegunSignIn = z.infer<typeof BegunSignIn>

/** What may come next in a prompt that is being typed. */
export const PromptCompletion = z.object({
  /** Where what a choice replaces begins, in the typed text. */
  from: z.int(),
  options: z.array(
    z.object({
      text: z.string(),
      hint: z.string(),
      /** Nothing belongs to the word after it. */
      isWhole: z.boolean(),
    }),
  ),
})
export type PromptCompletion = z.infer<typeof PromptCompletion>
