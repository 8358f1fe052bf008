import { DocketError, didYouMean } from "@docket/core"
import { z } from "zod"

export interface UnknownKey {
  /** The path of the key, e.g. `parts[0].synthtic`. */
  place: string
  key: string
  /** The keys that are allowed there. */
  known: string[]
}

/**
 * Refuses keys that a schema does not know, at any depth. A misspelt key that is silently ignored could leave on what
 * it was meant to switch off.
 */
export function refuseUnknownKeys(schema: z.core.$ZodType | null, value: unknown): void {
  if (schema === null && value != null && (typeof value !== "object" || Array.isArray(value)))
    throw new DocketError("invalid_input", "This call takes no input.")
  const unknown = schema === null ? keysOf(value).map((key) => strange(key, "", [])) : unknownKeys(schema, value)
  const [first] = unknown
  if (first === undefined) return
  const others = unknown.slice(1, mostNamed).map(({ place }) => quoted(place))
  const also = others.length === 0 ? "" : ` Also unknown: ${others.join(", ")}.`
  throw new DocketError("unknown_key", `There is no key ${quoted(first.place)} here.${suggestion(first)}${also}`)
}

/** How many unknown keys one answer names. */
const mostNamed = 4
/** How many known keys one answer lists. */
const mostKnown = 30
/** Longer names are cut. UTF-16 units. */
const longestName = 100

function quoted(place: string): string {
  return JSON.stringify(place.length > longestName ? `${place.slice(0, longestName)}…` : place)
}

function suggestion({ key, known }: UnknownKey): string {
  if (known.length === 0) return " It takes none."
  return didYouMean(key.slice(0, longestName), known) || ` It takes ${known.slice(0, mostKnown).join(", ")}.`
}

/** The keys of a value, at any depth, that its schema would drop. Where a schema takes any JSON, there are none. */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, place = ""): UnknownKey[] {
  if (value === null || typeof value !== "object") return []
  if (schema instanceof z.core.$ZodObject) return ofObject(schema, value, place)
  if (schema instanceof z.core.$ZodArray) return ofItems(value, place, () => schema._zod.def.element)
  if (schema instanceof z.core.$ZodTuple) {
    const { items, rest } = schema._zod.def
    return ofItems(value, place, (at) => items[at] ?? rest)
  }
  if (schema instanceof z.core.$ZodRecord) {
    const { valueType } = schema._zod.def
    return keysOf(value).flatMap((key) => unknownKeys(valueType, at(value, key), within(place, key)))
  }
  if (schema instanceof z.core.$ZodUnion) return ofOptions(schema._zod.def.options, value, place)
  if (schema instanceof z.core.$ZodIntersection) {
    const { left, right } = schema._zod.def
    const strangeRight = new Set(unknownKeys(right, value, place).map((it) => it.place))
    return unknownKeys(left, value, place).filter((it) => strangeRight.has(it.place))
  }
  const inner = innerOf(schema)
  return inner === null ? [] : unknownKeys(inner, value, place)
}

/** The schema inside one that adds something: optional, a default, a transform. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.core.$ZodPipe) return schema._zod.def.in
  if (schema instanceof z.core.$ZodLazy) return schema._zod.innerType
  const { def } = schema._zod
  return "innerType" in def && def.innerType instanceof z.core.$ZodType ? def.innerType : null
}

function ofObject(schema: z.core.$ZodObject, value: object, place: string): UnknownKey[] {
  if (Array.isArray(value)) return []
  const { shape, catchall } = schema._zod.def
  const known = Object.keys(shape)
  return keysOf(value).flatMap((key) => {
    const field = Object.hasOwn(shape, key) ? shape[key] : catchall
    if (field !== undefined && !(field instanceof z.core.$ZodNever))
      return unknownKeys(field, at(value, key), within(place, key))
    return isPageTurn(key, at(value, key), known) ? [] : strange(key, place, known)
  })
}

/** tRPC itself adds `direction` to the input of a list that is read in pages. */
function isPageTurn(key: string, value: unknown, known: string[]): boolean {
  return key === "direction" && (value === "forward" || value === "backward") && known.includes("cursor")
}

function ofItems(
  value: object,
  place: string,
  schemaOf: (at: number) => z.core.$ZodType | null | undefined,
): UnknownKey[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown, index) => {
    const schema = schemaOf(index)
    return schema ? unknownKeys(schema, item, `${place}[${index}]`) : []
  })
}

/** The unknown keys by the member of a union that knows most keys of the value, among those that it may mean. */
function ofOptions(options: readonly z.core.$ZodType[], value: object, place: string): UnknownKey[] {
  const found = options
    .filter((option) => isMeant(option, value))
    .map((option) => unknownKeys(option, value, place))
    .sort((a, b) => a.length - b.length)
  return found[0] ?? []
}

/** Whether the value may mean this option: it has the option's kind (list or object) and its literals. */
function isMeant(option: z.core.$ZodType, value: object): boolean {
  if (option instanceof z.core.$ZodObject) {
    if (Array.isArray(value)) return false
    return Object.entries(option._zod.def.shape).every(([key, field]) => {
      return !(field instanceof z.core.$ZodLiteral) || field._zod.def.values.some((word) => word === at(value, key))
    })
  }
  if (option instanceof z.core.$ZodArray || option instanceof z.core.$ZodTuple) return Array.isArray(value)
  if (option instanceof z.core.$ZodRecord) return !Array.isArray(value)
  if (option instanceof z.core.$ZodUnion) return option._zod.def.options.some((inner) => isMeant(inner, value))
  const inner = innerOf(option)
  if (inner !== null) return isMeant(inner, value)
  return option instanceof z.core.$ZodUnknown || option instanceof z.core.$ZodAny || isOther(option)
}

/** Whether a schema of another type may take an object: custom checks and transforms may take anything. */
function isOther({ _zod: { def } }: z.core.$ZodType): boolean {
  return ["custom", "transform", "intersection", "map", "set", "file"].includes(def.type)
}

/** The keys that reach the receiver: JSON leaves out undefined values. */
function keysOf(value: unknown): string[] {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, held]) => (held === undefined ? [] : key))
}

function at(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function within(place: string, key: string): string {
  return place === "" ? key : `${place}.${key}`
}

function strange(key: string, place: string, known: string[]): UnknownKey {
  return { place: within(place, key), key, known }
}
