type Node = Record<string, unknown>

/**
 * A document of OpenAPI 3.1 in the words of 3.0, for tools that read no newer one. It says the same, but for webhooks and
 * the identifier of the license, which 3.0 does not have.
 */
export function inOpenApi30(document: object): object {
  const { webhooks: _, info, ...rest } = document as Node
  return { ...(mended(rest) as Node), openapi: "3.0.3", info: { ...Object(info), license } }
}

const license = { name: "MIT", url: "https://spdx.org/licenses/MIT.html" }

function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended)
  if (!isNode(value)) return value
  // What stands under a name that somebody chose is no word of the document.
  const parts = Object.entries(value).map(([name, held]) => [
    name,
    isNode(held) && named.has(name) ? mapped(held) : mended(held),
  ])
  return inOlderWords(Object.fromEntries(parts))
}

/** Words whose value is a list of things by name. */
const named = new Set(["properties", "schemas", "paths", "responses", "content", "mapping", "headers"])

function mapped(things: Node): Node {
  return Object.fromEntries(Object.entries(things).map(([name, held]) => [name, mended(held)]))
}

/** A schema without the words that 3.0 lacks. What is no schema has none of them. */
function inOlderWords({ const: only, exclusiveMinimum, exclusiveMaximum, ...node }: Node): Node {
  const schema = withoutNull({ ...node, ...(only !== undefined && { enum: [only] }) })
  if (schema === nothing) return nothing
  return {
    ...schema,
    ...widthOf(schema),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum !== undefined && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  }
}

/** Generators give numbers 32 bits unless a format says more: too few for times in milliseconds. */
function widthOf({ type, format, maximum }: Node): Node {
  if (format !== undefined) return {}
  if (type === "number") return { format: "double" }
  const isShort = typeof maximum === "number" && maximum < 2 ** 31
  return type === "integer" && !isShort ? { format: "int64" } : {}
}

/** In 3.0 `null` is no type: a schema may be `nullable` beside it. */
function withoutNull(schema: Node): Node {
  const { type } = schema
  if (type === "null") return nothing
  if (Array.isArray(type)) {
    const types: unknown[] = type.filter((one) => one !== "null")
    const [only] = types
    const isNullable = types.length < type.length
    if (types.length === 1) return { ...withoutNullWord(schema), type: only, ...(isNullable && { nullable: true }) }
    const { type: __, ...rest } = schema
    return { ...rest, anyOf: types.map((one) => ({ type: one })), ...(isNullable && { nullable: true }) }
  }
  for (const word of ["anyOf", "oneOf"]) {
    const options = schema[word]
    if (!Array.isArray(options) || !options.includes(nothing)) continue
    const { [word]: __, ...rest } = schema
    const left: unknown[] = options.filter((option) => option !== nothing)
    const [only] = left
    // A reference stands alone in 3.0, so it is wrapped. Components are objects.
    if (left.length === 1 && isNode(only))
      return { ...rest, ...("$ref" in only ? { type: "object", allOf: [only] } : only), nullable: true }
    return { ...rest, [word]: left, nullable: true }
  }
  return schema
}

/** Generators fail on a `null` among words, and take it where a schema is `nullable`. */
function withoutNullWord(schema: Node): Node {
  return Array.isArray(schema.enum) ? { ...schema, enum: schema.enum.filter((word) => word !== null) } : schema
}

/** Takes nothing but `null`. */
const nothing: Node = { type: "string", enum: [null], nullable: true }

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
