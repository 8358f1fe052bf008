import { createContext, Script } from "node:vm"
import type { JsonSchemaType, JsonSchemaValidatorResult, jsonSchemaValidator } from "@modelcontextprotocol/client"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import { checkedSchema } from "./checked-schema.ts"

/** ms that a check may take; references can name one schema more often than anybody waits for. */
const longestCheck = 500
const running = new Script("run()")

/**
 * Checks values by schemas that servers wrote. Each schema has a validator of its own, so that none knows another by its
 * name. A value that is not checked in time, or cannot be, counts as right: its receiver checks it too.
 */
export const serverSchemas: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const check = within(() => new AjvJsonSchemaValidator().getValidator<T>(checkedSchema(schema) as JsonSchemaType))
    return (value: unknown): JsonSchemaValidatorResult<T> =>
      within(() => check?.(value) ?? null) ?? { valid: true, data: value as T, errorMessage: undefined }
  },
}

/** Null for what fails or takes too long. */
function within<T>(run: () => T): T | null {
  try {
    return running.runInContext(createContext({ run }), { timeout: longestCheck }) as T
  } catch {
    return null
  }
}
