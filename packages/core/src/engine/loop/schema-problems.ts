import { Ajv, type AnySchema, type ErrorObject } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"

/** A JSON Schema, and the value to check by it; without a value only the schema is checked. */
export interface SchemaCheck {
  schema: Record<string, unknown>
  value?: unknown
}

/** `invalid`: why the schema is none. */
export type SchemaProblems = { invalid: string } | { problems: string[] }

const mostProblems = 10

/** Schemas are read as 2020-12, and those that say so as draft 7. Formats are remarks, as in 2020-12. */
export function schemaProblems(check: SchemaCheck): SchemaProblems {
  const { schema } = check
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const
  const ajv = /draft-0[67]\b/.test(String(schema.$schema)) ? new Ajv(options) : new Ajv2020(options)
  try {
    // Such a schema answers with a promise, which is never false.
    if ("$async" in schema) throw new Error("$async is not JSON Schema")
    const validate = ajv.compile(schema as AnySchema)
    if (!("value" in check) || validate(check.value)) return { problems: [] }
    return { problems: (validate.errors ?? []).slice(0, mostProblems).map(problemLine) }
  } catch (error) {
    return { invalid: error instanceof Error ? error.message : String(error) }
  }
}

function problemLine(error: ErrorObject): string {
  return `- ${error.instancePath === "" ? "(root)" : error.instancePath}: ${error.message ?? error.keyword}`
}
