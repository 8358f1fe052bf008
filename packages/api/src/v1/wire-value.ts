import type { z } from "@hono/zod-openapi"
import { wireName } from "./wire-name.ts"

/** A value in the words of `/v1`. Only names of the schema's fields change: what tools take and give is data. */
export function toWire(schema: z.core.$ZodType, value: unknown): unknown {
  return renamed(schema, value, { from: (name) => name, to: wireName })
}

/** A value of `/v1` in the words of its schema. */
export function fromWire(schema: z.core.$ZodType, value: unknown): unknown {
  return renamed(schema, value, { from: wireName, to: (name) => name })
}

interface Words {
  /** The name of a schema's field in the given value. */
  from(name: string): string
  /** The name of a schema's field in the result. */
  to(name: string): string
}

function renamed(schema: z.core.$ZodType, value: unknown, words: Words): unknown {
  if (value === null || typeof value !== "object") return value
  // The members of Zod's own union of types, told apart by `type`.
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case "object":
      return ofObject(def.shape, value, words)
    case "array":
      return Array.isArray(value) ? value.map((item) => renamed(def.element, item, words)) : value
    case "record":
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(def.valueType, item, words)]))
    case "union": {
      const option = optionOf(def, value, words.from)
      return option === undefined ? value : renamed(option, value, words)
    }
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
      return renamed(def.innerType, value, words)
    case "pipe":
      return renamed(def.out, value, words)
    default:
      return value
  }
}

/** Fields that the schema does not name, as those of a newer version, get a name of the same kind. */
function ofObject(shape: z.core.$ZodShape, value: object, { from, to }: Words): object {
  const known = new Map(Object.keys(shape).map((name) => [from(name), name]))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = known.get(key)
      const field = name === undefined ? undefined : shape[name]
      return [to(name ?? key), field === undefined ? item : renamed(field, item, { from, to })]
    }),
  )
}

/** The option of a union that the value is of, by its literals. */
function optionOf({ options }: z.core.$ZodUnionDef, value: object, from: Words["from"]): z.core.$ZodType | undefined {
  return options.find((option) => {
    const { def } = (option as z.core.$ZodTypes)._zod
    if (def.type === "union") return optionOf(def, value, from) !== undefined
    if (def.type === "array") return Array.isArray(value)
    if (def.type !== "object" || Array.isArray(value)) return def.type === "record" && !Array.isArray(value)
    return Object.entries(def.shape).every(([name, field]) => isOfWord(field, Reflect.get(value, from(name))))
  })
}

/** Whether a field that takes certain words has one of them. Of other fields nothing is known. */
function isOfWord(field: z.core.$ZodType, value: unknown): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod
  if (def.type === "literal") return def.values.some((word) => word === value)
  return def.type !== "enum" || Object.values(def.entries).some((word) => word === value)
}
