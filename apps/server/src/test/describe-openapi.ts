import { z } from "zod"

/** The part of a JSON schema that the short form uses. */
const Schema = z.looseObject({
  get anyOf() {
    return z.array(Schema).optional()
  },
  get items() {
    return Schema.optional()
  },
  get properties() {
    return z.record(z.string(), Schema).optional()
  },
  get oneOf() {
    return z.array(Schema).optional()
  },
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  default: z.unknown().optional(),
})
type Schema = z.infer<typeof Schema>

const Content = z.record(z.string(), z.object({ schema: Schema }))
const Operation = z.strictObject({
  operationId: z.string(),
  summary: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  /** The capability that the operation requires. */
  "x-capability": z.string().optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        description: z.string(),
        schema: Schema,
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), z.strictObject({ description: z.string(), content: Content })),
})
const Components = z.object({ securitySchemes: z.unknown(), schemas: z.record(z.string(), Schema) })
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

/**
 * A short form of an OpenAPI document with one paragraph per operation, independent of how its JSON schemas are
 * written.
 */
export function describeOpenApi(document: unknown): string {
  const { paths, openapi, info, security, components } = Document.parse(document)
  const { securitySchemes, schemas } = Components.parse(components)
  const head = JSON.stringify({ openapi, info, security, securitySchemes })
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(`${method} ${path}`, operation)),
  )
  const rows = Object.entries(schemas).map(([name, schema]) => `${name}: ${shorthand(schema)}`)
  return `${[head, ...operations.sort(), rows.sort().join("\n")].join("\n\n")}\n`
}

function describeOperation(address: string, operation: z.infer<typeof Operation>): string {
  const { operationId, summary, security, "x-capability": takes, parameters = [], requestBody, responses } = operation
  const open = security?.length === 0 ? ", open" : ""
  const lines = [`${address}: ${operationId}${open}${takes ? `, takes ${takes}` : ""}`, ...(summary ? [summary] : [])]
  for (const { name, in: place, required, schema, description } of parameters) {
    lines.push(`  ${place} ${name}${required ? "" : "?"}: ${shorthand(schema)}, ${description}`)
  }
  if (requestBody) lines.push(`  body${requestBody.required ? "" : "?"}: ${describeContent(requestBody.content)}`)
  for (const [status, { description, content }] of Object.entries(responses)) {
    lines.push(`  ${status}: ${description}: ${describeContent(content)}`)
  }
  return lines.join("\n")
}

function describeContent(content: z.infer<typeof Content>): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `${type} ${shorthand(schema)}`)
    .join(", ")
}

function shorthand(schema: Schema): string {
  const bounds = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "exclusiveMinimum", "maximum"]
    .filter((name) => Math.abs(Number(schema[name])) < Number.MAX_SAFE_INTEGER)
    .map((name) => `${name} ${schema[name]}`)
  const notes = [...bounds, ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`])]
  return notes.length > 0 ? `${kindOf(schema)} (${notes.join(", ")})` : kindOf(schema)
}

function kindOf({ anyOf, oneOf, $ref, items, properties, required = [], type, ...schema }: Schema): string {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const isNullable = Array.isArray(type) && type.includes("null") ? ["null"] : []
  if (values) return [...values.map((value) => JSON.stringify(value)), ...isNullable].join(" | ")
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1)
  const options = anyOf ?? oneOf
  if (options) return options.map(shorthand).join(" | ")
  if (items) return [`[${shorthand(items)}]`, ...isNullable].join(" | ")
  if (!properties) return Array.isArray(type) ? type.join(" | ") : (type ?? "any")
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${shorthand(field)}`,
  )
  return [`{ ${fields.join(", ")} }`, ...isNullable].join(" | ")
}
