import { expect, test } from "vitest"
import { checkArguments } from "./check-arguments.ts"
import { serverSchemas } from "./schema-check.ts"

const text = (rest: object) => ({ type: "object", properties: { text: { type: "string", ...rest } } })
const evil = { text: `${"a".repeat(40)}!` }

test("an expression of a server is not run", () => {
  const schema = text({ pattern: "^(a+)+$" })
  expect(checkArguments(schema, { text: "b" })).toEqual([])
  expect(checkArguments(schema, evil)).toEqual([])
  expect(serverSchemas.getValidator(schema)(evil).valid).toBe(true)
  expect(checkArguments(schema, { text: 1 })).toHaveLength(1)
})

test("an expression that names properties is not run, and forbids none", () => {
  const schema = {
    ...{ type: "object", properties: { a: { type: "number" } } },
    ...{ patternProperties: { "^x": {} }, additionalProperties: false },
  }
  expect(checkArguments(schema, { x1: true })).toEqual([])
  expect(checkArguments(schema, { a: "no" })).toHaveLength(1)
})

test("a property may have the name of a keyword", () => {
  const schema = { type: "object", properties: { pattern: { type: "number" } }, required: ["pattern"] }
  expect(checkArguments(schema, { pattern: "x" })).toHaveLength(1)
  expect(checkArguments(schema, {})).toHaveLength(1)
})

test("what is left out turns no exclusion into a refusal", () => {
  const schema = text({ not: { pattern: "^-" }, oneOf: [{ format: "date" }, { format: "email" }] })
  expect(checkArguments(schema, { text: "2026-01-01" })).toEqual([])
})

test("a schema does not decide for another of the same name", () => {
  const named = (type: string) => ({ ...{ $id: "https://x.example/s" }, ...text({}), required: [type] })
  expect(checkArguments(named("first"), { first: 1 })).toEqual([])
  expect(checkArguments(named("second"), { first: 1 })).toHaveLength(1)
  expect(checkArguments({ type: "object", properties: { a: { $ref: "https://x.example/s" } } }, { a: 1 })).toEqual([])
})

test("references within count, and those without end stop", () => {
  const own = { $defs: { n: { type: "number" } }, type: "object", properties: { n: { $ref: "#/$defs/n" } } }
  expect(checkArguments(own, { n: "x" })).toHaveLength(1)
  const levels = Array.from({ length: 60 }, (_, at) => {
    const next = { $ref: `#/$defs/l${at + 1}` }
    return [`l${at}`, { allOf: [next, next] }] as const
  })
  const many = { type: "object", allOf: [{ $ref: "#/$defs/l0" }], $defs: { ...Object.fromEntries(levels), l60: {} } }
  expect(checkArguments(many, {})).toEqual([])
})
