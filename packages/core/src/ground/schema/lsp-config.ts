import { z } from "zod"

/** `lsp.<id>` in docket.json: OpenCode's shape. */
const LspServerConfig = z.strictObject({
  command: z.array(z.string().min(1)).min(1).optional().describe("The program with its arguments."),
  extensions: z
    .array(z.string().regex(/^\.?[\w.+-]+$/, { error: 'write an ending as ".py"' }))
    .min(1)
    .optional()
    .describe('Endings of its files, as ".py".'),
  env: z.record(z.string(), z.string()).optional().describe("Variables in addition to those of commands."),
  initialization: z.record(z.string(), z.unknown()).optional().describe("Its initializationOptions."),
  disabled: z.boolean().optional().describe("It is never started."),
})
export type LspServerConfig = z.infer<typeof LspServerConfig>

/** The servers that need no configuration, see `serverDefinitions` of @docket/lsp. */
export const builtinServers: readonly string[] =
  "typescript eslint biome pyright ruff bash json css yaml gopls clangd rust".split(" ")

/** `lsp` in docket.json: false for none, changes by id; true is as if it were missing: those that are installed. */
export const LspConfig = z.union([
  z.boolean(),
  z.record(z.string().min(1), LspServerConfig).superRefine((servers, context) => {
    for (const [id, { command, extensions, disabled }] of Object.entries(servers)) {
      if (builtinServers.includes(id) || disabled || (command && extensions)) continue
      const message = `no language server "${id}" is built in: give it "command" and "extensions"`
      context.addIssue({ code: "custom", path: [id], message })
    }
  }),
])
export type LspConfig = z.infer<typeof LspConfig>
