import { z } from "@hono/zod-openapi"
import { componentName } from "./component-names.ts"
import { wireName } from "./wire-name.ts"

/**
 * `body`: what callers send; it is checked by this schema, and described in place. `answer`: what they get; rows that
 * many answers have are components of the document.
 */
type Side = "body" | "answer"

const made = { body: new WeakMap<z.core.$ZodType, z.ZodType>(), answer: new WeakMap<z.core.$ZodType, z.ZodType>() }

/** The schema of the same data in the words of `/v1`: fields in snake_case. Keys of records are data and stay. */
export function wireSchema(schema: z.core.$ZodType, side: Side): z.ZodType {
  const known = made[side].get(schema)
  if (known !== undefined) return known
  const wire = named(described(rebuilt(schema, side), schema), schema, side)
  made[side].set(schema, wire)
  return wire
}

function named(wire: z.ZodType, schema: z.core.$ZodType, side: Side): z.ZodType {
  const name = side === "answer" ? componentName(schema) : undefined
  return name === undefined ? wire : wire.openapi(name)
}

function described(wire: z.ZodType, schema: z.core.$ZodType): z.ZodType {
  const { description } = z.globalRegistry.get(schema) ?? {}
  return description === undefined || wire === schema ? wire : wire.describe(description)
}

function rebuilt(schema: z.core.$ZodType, side: Side): z.ZodType {
  const inner = (one: z.core.$ZodType) => wireSchema(one, side)
  // Zod's own union of its types, told apart by `type`.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case "object":
      return objectOf(def, inner)
    case "array":
      return new z.ZodArray({ ...def, element: inner(def.element) })
    case "record":
      return new z.ZodRecord({
        ...def,
        keyType: leafOf(def.keyType) as z.core.$ZodRecordKey,
        valueType: inner(def.valueType),
      })
    case "union":
      return unionOf(def, inner)
    case "optional":
      return inner(def.innerType).optional()
    case "nullable":
      // The document would describe a component that is nullable as one that is never null.
      return componentName(def.innerType) === undefined
        ? inner(def.innerType).nullable()
        : z.union([inner(def.innerType), z.null()])
    case "default":
      // What is answered always has the field.
      return side === "answer" ? inner(def.innerType) : new z.ZodDefault({ ...def, innerType: inner(def.innerType) })
    case "pipe":
      return inner(side === "answer" ? def.out : def.in)
    default:
      return leafOf(schema)
  }
}

type Inner = (one: z.core.$ZodType) => z.ZodType

function objectOf(def: z.core.$ZodObjectDef, inner: Inner): z.ZodObject {
  const shape = Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [wireName(name), inner(field)]))
  return new z.ZodObject({ ...def, shape, ...(def.catchall && { catchall: inner(def.catchall) }) })
}

function unionOf(def: z.core.$ZodUnionDef, inner: Inner): z.ZodType {
  const options = def.options.map(inner)
  if (!("discriminator" in def)) return new z.ZodUnion({ ...def, options })
  const discriminator = wireName(String(def.discriminator))
  return new z.ZodDiscriminatedUnion({ ...def, inclusive: true, options, discriminator })
}

/** A schema without fields. One of `zod/mini` lacks the methods that the library of the document needs. */
function leafOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case "string":
      return new z.ZodString(def as z.core.$ZodStringDef)
    case "number":
      return "format" in def ? new z.ZodNumberFormat(def as z.core.$ZodNumberFormatDef) : new z.ZodNumber(def)
    case "boolean":
      return new z.ZodBoolean(def)
    case "literal":
      return new z.ZodLiteral(def)
    case "enum":
      return new z.ZodEnum(def)
    case "unknown":
      return new z.ZodUnknown(def)
    default:
      throw new Error(`/v1 has no words for a schema of the type ${def.type}`)
  }
}
