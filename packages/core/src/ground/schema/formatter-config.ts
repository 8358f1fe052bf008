import { z } from "zod"

/** `formatter.<id>` in docket.json: OpenCode's shape. */
const FormatterEntry = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'The program with its arguments. It gets the text on its input and writes the new text, or changes "$FILE".',
    ),
  extensions: z
    .array(z.string().regex(/^\.?[\w.+-]+$/, { error: 'write an ending as ".py"' }))
    .min(1)
    .optional()
    .describe('Endings of its files, as ".py".'),
  environment: z.record(z.string(), z.string()).optional().describe("Variables in addition to those of commands."),
  disabled: z.boolean().optional().describe("It is never started."),
})

/** The formatters that need no configuration, see `formatterDefinitions` of @docket/lsp. */
export const builtinFormatters: readonly string[] =
  "biome prettier dprint deno rustfmt gofmt black ruff shfmt clang-format stylua".split(" ")

/** `formatter` in docket.json: false for none, changes by id; true is as if it were missing. */
export const FormatterConfig = z.union([
  z.boolean(),
  z.record(z.string().min(1), FormatterEntry).superRefine((formatters, context) => {
    for (const [id, { command, extensions, disabled }] of Object.entries(formatters)) {
      if (builtinFormatters.includes(id) || disabled || (command && extensions)) continue
      const message = `no formatter "${id}" is built in: give it "command" and "extensions"`
      context.addIssue({ code: "custom", path: [id], message })
    }
  }),
])
export type FormatterConfig = z.infer<typeof FormatterConfig>
