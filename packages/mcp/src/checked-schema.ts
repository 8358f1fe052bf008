type Schema = Record<string, unknown>

/** Keywords by which a server would choose what runs here, or what other schema decides. */
const refused = new Set([
  ...["pattern", "patternProperties", "format", "$id", "id", "$schema", "$async"],
  ...["$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"],
])
/** Those that say something of values: without them a schema lets more through. */
const limiting = new Set(["pattern", "patternProperties", "format", "$ref", "$dynamicRef", "$recursiveRef"])
/** Where a schema within lets more through, these would let less through. */
const turning = new Set([
  ...["not", "if", "then", "else", "oneOf", "contains", "minContains", "maxContains"],
  ...["unevaluatedItems", "unevaluatedProperties"],
])
const withOne = new Set([
  ...["additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not"],
  ...["propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"],
])
const withList = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"])
const withNames = new Set(["$defs", "definitions", "dependencies", "dependentSchemas", "properties"])

/**
 * The part of a server's schema that is safe to check values by: no expressions, which may run for hours, and no names
 * by which it could stand for another schema. It refuses nothing that the whole schema allows.
 */
export function checkedSchema(schema: Schema): Schema {
  let isLooser = false
  const walk = (value: unknown, dropped: ReadonlySet<string>): unknown => {
    if (!isObject(value)) return value
    const isRefused = (key: string) => refused.has(key) || (key === "$ref" && !isWithin(value.$ref))
    const kept: [string, unknown][] = []
    for (const [key, inner] of Object.entries(value)) {
      if (isRefused(key)) isLooser ||= limiting.has(key)
      // Properties that only an expression named would be too many.
      else if (dropped.has(key) || (key === "additionalProperties" && "patternProperties" in value)) continue
      else if (withList.has(key) && Array.isArray(inner)) kept.push([key, inner.map((one) => walk(one, dropped))])
      else if (withOne.has(key)) kept.push([key, walk(inner, dropped)])
      else if (withNames.has(key) && isObject(inner))
        kept.push([key, Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, walk(one, dropped)]))])
      else kept.push([key, inner])
    }
    return Object.fromEntries(kept)
  }
  const first = walk(schema, new Set())
  return (isLooser ? walk(schema, turning) : first) as Schema
}

function isWithin(reference: unknown): boolean {
  return reference === "#" || (typeof reference === "string" && reference.startsWith("#/"))
}

function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
