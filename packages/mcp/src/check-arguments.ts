import type { JsonSchemaValidator } from "@modelcontextprotocol/client"
import { serverSchemas } from "./schema-check.ts"

const compiled = new WeakMap<object, JsonSchemaValidator<unknown>>()

/** What is wrong with arguments, a line each; nothing where the schema cannot be used, for the server checks them too. */
export function checkArguments(schema: Record<string, unknown>, args: Record<string, unknown>): string[] {
  const check = compiled.get(schema) ?? serverSchemas.getValidator(schema)
  compiled.set(schema, check)
  const { valid, errorMessage = "" } = check(args)
  return valid ? [] : errorMessage.split(", ").map((problem) => `- ${problem}`)
}
