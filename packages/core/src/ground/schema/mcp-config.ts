import { z } from "zod"
import { PermissionAction } from "./permission.ts"
import { isPlainName, plainNameRule } from "./plain-name.ts"
import { otherPermissions, toolNames } from "./tool-metadata.ts"

/** What local and remote servers share. */
const common = {
  enabled: z.boolean().optional().describe("False: it is not started."),
  timeout: z.number().int().min(1_000).optional().describe("How long a call may be silent (ms); 60 000 unless set."),
  total_timeout: z
    .number()
    .int()
    .min(1_000)
    .max(24 * 60 * 60_000)
    .optional()
    .describe(
      "How long a call may take that tells of progress (ms); ten times its timeout unless set, for a task an hour.",
    ),
  start_timeout: z
    .number()
    .int()
    .min(1_000)
    .optional()
    .describe("How long it may take to start (ms); 30 000 unless set."),
  enabled_tools: z
    .array(z.string().min(1))
    .optional()
    .describe('The only tools of it that agents get, by its own names; "*" and "?" stand for any text.'),
  disabled_tools: z.array(z.string().min(1)).optional().describe("Tools of it that no agent gets."),
  required: z
    .boolean()
    .optional()
    .describe("True: a turn waits until it has started, and fails where it does not start."),
  log_level: z
    .enum(["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"])
    .optional()
    .describe("What it writes into its log, from this level on; what it does by itself unless set."),
  permission: PermissionAction.optional().describe(
    "What calls of its tools need where no rule is about them; ask unless set.",
  ),
}

const McpLocal = z.strictObject({
  type: z.literal("local"),
  command: z
    .array(z.string())
    .refine(([program]) => program !== undefined && program !== "", { error: "name the program" })
    .describe("The program with its arguments."),
  cwd: z.string().min(1).optional().describe("Where it starts; the directory of the project unless set."),
  environment: z.record(z.string(), z.string()).optional().describe("Variables in addition to the usual ones."),
  network: z
    .enum(["open", "project", "none"])
    .optional()
    .describe(
      "What it reaches from the sandbox: everything, this machine too (unless set), the hosts that commands may reach, or nothing.",
    ),
  writable: z
    .array(z.string().min(1))
    .optional()
    .describe("Places that your own server changes, absolute, in your home (~/…) or in the project; none unless set."),
  sandbox: z
    .literal(false)
    .optional()
    .describe("False: your own server runs as it is written, with your rights and outside the sandbox."),
  ...common,
})
export type McpLocal = z.infer<typeof McpLocal>

/** Or a reference, whose text is known only once it is filled in. */
const WebAddress = z
  .string()
  .refine((text) => /\$?\{[^{}]+\}/.test(text) || isWebAddress(text), { error: "write a whole http or https address" })

const McpOAuth = z
  .strictObject({
    clientId: z.string().min(1).optional().describe("The client that is registered there; registered anew unless set."),
    clientSecret: z.string().min(1).optional().describe('Its secret, best as "{env:NAME}".'),
    scope: z.string().min(1).optional().describe("The rights to ask for, separated by spaces."),
    callbackPort: z
      .number()
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe("Port of this machine to which the browser comes back; a free one unless set."),
    redirectUri: WebAddress.optional().describe(
      "Address to which the browser comes back, where it is not this machine.",
    ),
    issuer: WebAddress.optional().describe(
      "The authorization server that gets the secrets that stand here, where it is not of the server's own domain.",
    ),
    clientMetadataUrl: WebAddress.optional().describe(
      "An https document that describes the client, in place of a registration.",
    ),
    grant: z
      .enum(["authorization_code", "client_credentials", "cross_app"])
      .optional()
      .describe(
        "How to sign in: a person in a browser (unless set), the client by itself, or by an identity provider.",
      ),
    privateKey: z.string().min(1).optional().describe("Key (PEM) with which the client signs in by itself."),
    signingAlgorithm: z.string().min(1).optional().describe("Of that key; ES256 unless set."),
    idp: z
      .strictObject({
        issuer: WebAddress,
        tokenEndpoint: WebAddress.optional(),
        clientId: z.string().min(1),
        clientSecret: z.string().min(1).optional(),
        idToken: z.string().min(1),
      })
      .optional()
      .describe("The identity provider of cross_app, and what it said of the user."),
    shared: z
      .boolean()
      .optional()
      .describe("True: in a team, all work with the sign-in of whoever signed in. Else each person signs in."),
    skipIssuerCheck: z
      .boolean()
      .optional()
      .describe("True: takes an authorization server that calls itself by another address. It weakens the protection."),
  })
  .superRefine(({ grant, clientId, clientSecret, privateKey, idp }, context) => {
    const lack = (path: string) => context.addIssue({ code: "custom", path: [path], message: `${grant} needs it` })
    if (grant === undefined || grant === "authorization_code") return
    if (clientId === undefined) lack("clientId")
    if (grant === "cross_app" && idp === undefined) lack("idp")
    if (grant === "client_credentials" && clientSecret === undefined && privateKey === undefined) lack("clientSecret")
  })
export type McpOAuth = z.infer<typeof McpOAuth>

const McpRemote = z.strictObject({
  type: z.literal("remote"),
  url: z
    .string()
    .refine((text) => /\$?\{[^{}]+\}/.test(text) || isWebAddress(text), {
      error: "write a whole http or https address",
    })
    .describe("Its address."),
  headers: z.record(z.string(), z.string()).optional().describe("Headers of every request to it."),
  transport: z.enum(["http", "sse"]).optional().describe("How it is spoken to; tried in this order unless set."),
  oauth: z
    .union([z.literal(false), McpOAuth])
    .optional()
    .describe("How to sign in; false: never."),
  ...common,
})
export type McpRemote = z.infer<typeof McpRemote>

export const McpServerConfig = z.discriminatedUnion("type", [McpLocal, McpRemote])
export type McpServerConfig = z.infer<typeof McpServerConfig>

/** Switches a server of another file on or off. */
const McpSwitch = z.strictObject({ enabled: z.boolean() })

/** In rules these two stand for any text, so that leave for one server would be leave for others. */
export const McpName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^*?]+$/, { error: 'a name of a server has no "*" and no "?"' })
  .refine(isPlainName, { error: plainNameRule })

/** `mcp` in docket.json: OpenCode's shape. */
export const McpConfig = z.record(
  McpName,
  z.union([McpServerConfig, McpSwitch], { error: 'write a server with "type", "local" or "remote"' }),
  // Of a name the reason counts, not that it is one.
  { error: ({ issues }) => (Array.isArray(issues) ? issues[0]?.message : undefined) },
)
export type McpConfig = z.infer<typeof McpConfig>

/** A server that counts, as its configuration says with everything filled in. */
export interface McpServer {
  /** As the configuration names it. */
  name: string
  config: McpServerConfig
  /** `user`: the user's own, with the user's rights. `project`: a project brought it, and the user trusts it. */
  scope: "user" | "project"
  /** Where it stands: a file, or settings for this service only. */
  file: string
  /** 1-based; null when unknown. */
  line: number | null
  /** The files of the project that its command names, as the user trusted them: SHA-256 (hex) by absolute real path. */
  files: ReadonlyMap<string, string>
  /** Another program of the user has it: it runs once the user has switched it on here. */
  needsConsent?: true
}

/** The servers of several files: an entry replaces the one of its name, and a switch changes only that. */
export function mergeMcp(low: McpConfig, high: McpConfig): McpConfig {
  const merged = { ...low }
  for (const [name, entry] of Object.entries(high)) {
    const below = merged[name]
    merged[name] = "type" in entry || below === undefined ? entry : { ...below, enabled: entry.enabled }
  }
  return merged
}

/**
 * What the permissions of a server's tools begin with, without the `_` that follows. Rules for `<prefix>_*` are about
 * nothing of Docket's: a server named `plan` is `mcp_plan`.
 */
export function mcpPrefix(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_")
  const prefix = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
  const isTaken = [...toolNames, ...otherPermissions].some((known) => known.startsWith(`${prefix}_`))
  return isTaken ? `mcp_${prefix}` : prefix
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
