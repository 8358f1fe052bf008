import { visibleText } from "@docket/core/rule"
import type { Question, QuestionAnswer } from "@docket/core/schema"
import { z } from "zod"

/** Fields of a card, options of a field, and times that a person is asked for a value that fits. */
export const mostFields = 8
const mostOptions = 12

/** A field of a form: a flat JSON Schema of one value. */
const Field = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(z.looseObject({ const: z.string(), title: z.string().optional() })).optional(),
  items: z
    .looseObject({
      enum: z.array(z.string()).optional(),
      anyOf: z.array(z.looseObject({ const: z.string(), title: z.string().optional() })).optional(),
    })
    .optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
})
type Field = z.infer<typeof Field>

const Form = z.looseObject({
  properties: z.record(z.string(), Field),
  required: z.array(z.string()).optional(),
})

export type FieldValue = string | number | boolean | string[]

/** A field as a person is asked for it. */
export interface AskedField {
  key: string
  isRequired: boolean
  question: Question
  /** The value of an answer; undefined for none, or what is wrong with it. */
  read(answer: QuestionAnswer): { value: FieldValue | undefined } | { problem: string }
}

/** The fields of a form in their order. @throws Error for a form that is no flat object */
export function fieldsOf(schema: unknown): AskedField[] {
  const { properties, required = [] } = Form.parse(schema)
  return Object.entries(properties).map(([key, field]) => toField(key, field, required.includes(key)))
}

function toField(key: string, field: Field, isRequired: boolean): AskedField {
  const choices = choicesOf(field)
  const multiple = field.type === "array"
  const words = [field.description ?? field.title ?? key, kindOf(field), isRequired ? "" : "It may be left out."]
  const fits = choices.length <= mostOptions
  const listed = fits ? "" : `One of: ${choices.map(({ label }) => label).join(", ")}.`
  const question: Question = {
    header: shown(field.title ?? key, 30),
    question: shown([...words, listed].filter((text) => text !== "").join("\n"), 2_000),
    options: fits ? choices.map(({ label, about }) => ({ label, description: about })) : [],
    multiple,
  }
  const chosenValue = (label: string) =>
    choices.find((choice) => choice.label === label || choice.value === label)?.value
  return {
    key,
    isRequired,
    question,
    read({ choices: chosen, own }) {
      const given = [...chosen, ...(own === null || own.trim() === "" ? [] : [own.trim()])]
      if (given.length === 0) return { value: undefined }
      if (multiple) {
        const values = given.map(chosenValue)
        const known = values.flatMap((value) => (typeof value === "string" ? [value] : []))
        return known.length === given.length ? { value: known } : { problem: "choose among the options" }
      }
      const [first = ""] = given
      if (choices.length > 0 && field.type !== "number" && field.type !== "integer") {
        const value = chosenValue(first)
        if (value !== undefined) return { value }
        if (field.enum !== undefined || field.oneOf !== undefined || field.type === "boolean")
          return { problem: "choose among the options" }
      }
      return readText(first, field)
    },
  }
}

interface Choice {
  label: string
  value: string | boolean
  about: string
}

function choicesOf({ type, enum: values, enumNames, oneOf, items, default: usual }: Field): Choice[] {
  const titled = oneOf ?? items?.anyOf
  const plain = values ?? items?.enum
  const about = (value: unknown) => (usual !== undefined && value === usual ? "The usual one." : "")
  if (type === "boolean")
    return [true, false].map((value) => ({ label: value ? "Yes" : "No", value, about: about(value) }))
  const found: Choice[] = titled
    ? titled.map(({ const: value, title = value }) => ({ label: shown(title, 100), value, about: about(value) }))
    : (plain ?? []).map((value, at) => ({ label: shown(enumNames?.[at] ?? value, 100), value, about: about(value) }))
  if (found.length > 0 || usual === undefined || typeof usual === "object") {
    // No two options have the same label.
    const labels = new Set<string>()
    return found.filter(({ label }) => !labels.has(label) && labels.add(label))
  }
  return [{ label: shown(String(usual), 100), value: String(usual), about: "The usual one." }]
}

function kindOf({ type, format, minimum, maximum }: Field): string {
  const range = [minimum === undefined ? "" : `at least ${minimum}`, maximum === undefined ? "" : `at most ${maximum}`]
  const bounds = range.filter((text) => text !== "").join(", ")
  if (type === "number" || type === "integer") {
    const what = type === "integer" ? "A whole number" : "A number"
    return bounds === "" ? `${what}.` : `${what}: ${bounds}.`
  }
  const kinds: Record<string, string> = {
    email: "An e-mail address.",
    uri: "An address.",
    date: "A date, as 2026-01-31.",
    "date-time": "A date and time, as 2026-01-31T12:00:00Z.",
  }
  return (format !== undefined && kinds[format]) || ""
}

function readText(
  text: string,
  { type, format, minimum, maximum }: Field,
): { value: FieldValue } | { problem: string } {
  if (type === "number" || type === "integer") {
    const number = Number(text)
    if (!Number.isFinite(number) || (type === "integer" && !Number.isInteger(number)))
      return { problem: type === "integer" ? "a whole number is needed" : "a number is needed" }
    if ((minimum !== undefined && number < minimum) || (maximum !== undefined && number > maximum))
      return { problem: "the number is out of its range" }
    return { value: number }
  }
  const checks: Record<string, z.ZodType> = {
    email: z.email(),
    uri: z.url(),
    date: z.iso.date(),
    "date-time": z.iso.datetime({ offset: true }),
  }
  const check = format === undefined ? undefined : checks[format]
  return check === undefined || check.safeParse(text).success
    ? { value: text }
    : { problem: "the text has not the form that is needed" }
}

/** A stranger's words: nothing hidden, and no longer than fits. */
export function shown(text: string, most: number): string {
  const plain = visibleText(text)
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain
}
