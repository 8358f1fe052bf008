import { DocketError, didYouMean } from "@docket/core"
import { z } from "zod"

export interface UnknownKey {
  /** Where it stands, e.g. `parts[0].synthtic`. */
  place: string
  key: string
  /** What may stand there instead. */
  known: string[]
}

/** Refuses what a schema does not know, at any depth: a key that is left out silently may be one that switches something off. */
export function refuseUnknownKeys(schema: z.core.$ZodType | null, value: unknown): void {
  if (schema === null && value != null && (typeof value !== "object" || Array.isArray(value)))
    throw new DocketError("invalid_input", "This call takes no input.")
  const unknown = schema === null ? keysOf(value).map((key) => strange(key, "", [])) : unknownKeys(schema, value)
  const [first] = unknown
  if (first === undefined) return
  const others = unknown.slice(1, mostNamed).map(({ place }) => named(place))
  const also = others.length === 0 ? "" : ` Nor are ${others.join(" and ")} known.`
  throw new DocketError("unknown_key", `There is no key ${named(first.place)} here.${instead(first)}${also}`)
}

/** So many are named in one answer. */
const mostNamed = 4
const mostKnown = 30
const longestName = 100

function named(place: string): string {
  return JSON.stringify(place.length > longestName ? `${place.slice(0, longestName)}…` : place)
}

function instead({ key, known }: UnknownKey): string {
  if (known.length === 0) return " It takes none."
  return didYouMean(key.slice(0, longestName), known) || ` It takes ${known.slice(0, mostKnown).join(", ")}.`
}

/** The keys of a value, at any depth, that its schema would leave out. What a schema takes as any JSON has none. */
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

/** What a schema adds something to: that it may be left out, a default, what is made of it afterwards. */
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

/** tRPC says of its own accord which way a list that is read in pages goes on. */
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

/** By the option that knows most of it, among those that it may be meant for. */
function ofOptions(options: readonly z.core.$ZodType[], value: object, place: string): UnknownKey[] {
  const found = options
    .filter((option) => isMeant(option, value))
    .map((option) => unknownKeys(option, value, place))
    .sort((a, b) => a.length - b.length)
  return found[0] ?? []
}

/** Whether an option takes what is a list or an object like the value, with the same words where it fixes them. */
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

/** Custom checks and the like may take anything; words, numbers and the like are no objects. */
function isOther({ _zod: { def } }: z.core.$ZodType): boolean {
  return ["custom", "transform", "intersection", "map", "set", "file"].includes(def.type)
}

/** Those that reach whoever the value is sent to: JSON leaves out what is undefined. */
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
