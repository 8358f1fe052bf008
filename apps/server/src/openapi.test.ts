import { createConfig, lintFromString } from "@redocly/openapi-core"
import { expect, it } from "vitest"
import { z } from "zod"
import { startTestService } from "./test/start-test-service.ts"

const Body = z.looseObject({ type: z.unknown().optional(), additionalProperties: z.unknown().optional() })
const Content = z.record(z.string(), z.object({ schema: Body }))
const Bodies = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ requestBody: z.object({ content: Content }).optional() })),
  ),
})

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
  return problems.map(({ ruleId, message, location: [at] }) => `${at?.pointer} ${ruleId}: ${message}`)
}

it("the OpenAPI document describes the fields of a todo list's refusals", async () => {
  const service = await startTestService()
  try {
    const { paths } = JSON.parse((await service.call("/v1/openapi.json")).body)
    const { responses } = paths["/session/{id}/todo"].get
    const route = "/session/ses_ffffffffffffIS6E2eVkc4YKqx/todo"
    const headers = { authorization: `Bearer ${service.token}` }
    for (const [answer, status] of [
      [await service.call(route), 401],
      [await service.call(route, { headers }), 404],
    ] as const) {
      expect(answer.status).toBe(status)
      const schema = responses[status].content["application/json"].schema
      expect(Object.keys(JSON.parse(answer.body).error).sort()).toEqual(
        Object.keys(schema.properties.error.properties).sort(),
      )
    }
  } finally {
    await service.remove()
  }
})

it("the OpenAPI document forbids other keys in bodies", async () => {
  const service = await startTestService()
  try {
    const { paths } = Bodies.parse(JSON.parse((await service.call("/v1/openapi.json")).body))
    const schemas = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ requestBody }) => requestBody?.content["application/json"]?.schema)
      .filter((schema) => schema?.type === "object")
    expect(schemas.length).toBeGreaterThan(10)
    for (const schema of schemas) expect(schema?.additionalProperties, JSON.stringify(schema)).toBe(false)
  } finally {
    await service.remove()
  }
})

it("other programs' tools accept the OpenAPI document", async () => {
  const service = await startTestService()
  try {
    const document: object = JSON.parse((await service.call("/v1/openapi.json")).body)
    expect(document).toMatchObject({ openapi: "3.1.0" })
    expect(await lint(document)).toEqual([])
    // The rules are really applied.
    expect(await lint({ ...document, servers: [] })).toEqual([expect.stringContaining("no-empty-servers")])
  } finally {
    await service.remove()
  }
})

it("the document in OpenAPI 3.0 is accepted and says the same", async () => {
  const service = await startTestService()
  try {
    const [newer, older] = await Promise.all(
      ["/v1/openapi.json", "/v1/openapi-3.0.json"].map(async (path) => JSON.parse((await service.call(path)).body)),
    )
    expect(older).toMatchObject({ openapi: "3.0.3", info: { license: { name: "MIT" } } })
    expect(await lint(older)).toEqual([])
    const { webhooks: _, ...said } = newer
    const drop = ({ openapi: __, info: { license: ___, ...info }, ...rest }: typeof newer) => ({ ...rest, info })
    expect(meaningOf(drop(older))).toEqual(meaningOf(drop(said)))
    // The comparison sees what a careless translation loses.
    const careless = structuredClone(older)
    careless.components.schemas.Session.properties.parent_id.nullable = false
    expect(meaningOf(drop(careless))).not.toEqual(meaningOf(drop(said)))
  } finally {
    await service.remove()
  }
})

it("the document in OpenAPI 3.0 gives times more than 32 bits", async () => {
  const service = await startTestService()
  try {
    const { components } = JSON.parse((await service.call("/v1/openapi-3.0.json")).body)
    const { Session, Turn } = components.schemas
    expect(Session.properties.time.properties.created).toMatchObject({ type: "number", format: "double" })
    expect(Turn.properties.epoch).toMatchObject({ type: "integer", format: "int64" })
    expect(Turn.properties.status.format).toBeUndefined()
  } finally {
    await service.remove()
  }
})

/** A document in words that are the same for both versions: each schema says by itself whether it takes `null`. */
function meaningOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meaningOf)
  if (value === null || typeof value !== "object") return value
  const { type, nullable, exclusiveMinimum, exclusiveMaximum, format, ...others } = value as Record<string, unknown>
  // How many bits a generator gives a number is not what a number means.
  const rest = format === undefined || format === "double" || format === "int64" ? others : { ...others, format }
  const inner = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, meaningOf(one)]))
  // A property that is called `type` or `nullable` is a schema.
  if (typeof type === "object" && !Array.isArray(type)) return { ...inner, type: meaningOf(type) }
  const types = [type ?? []].flat()
  const options = [...optionsOf(inner.anyOf), ...optionsOf(inner.oneOf), ...optionsOf(inner.allOf)]
  const isNullOnly = (one: unknown) => JSON.stringify(one) === onlyNull
  const takesNull = nullable === true || types.includes("null") || options.some(isNullOnly)
  const left = options.filter((one) => !isNullOnly(one))
  const { anyOf: _, oneOf: __, allOf: ___, minimum, maximum, ...words } = inner
  const meaning = {
    ...words,
    ...(Array.isArray(words.enum) && takesNull && { enum: words.enum.filter((word) => word !== null) }),
    // A type beside options says nothing more than they do.
    types: left.length > 0 ? [] : types.filter((one) => one !== "null"),
    takesNull,
    options: left,
    above: exclusiveMinimum === true ? minimum : exclusiveMinimum,
    from: exclusiveMinimum === true ? undefined : minimum,
    below: exclusiveMaximum === true ? maximum : exclusiveMaximum,
    to: exclusiveMaximum === true ? undefined : maximum,
  }
  if (types.length === 1 && types[0] === "null") return { takesNull: true }
  const [only] = left
  // One option beside `null` may stand in place.
  if (types.length === 0 && left.length === 1 && !Object.hasOwn(Object(only), "$ref"))
    return { ...Object(only), takesNull }
  const isPlain = types.length === 0 && !takesNull && left.length === 0
  if (isPlain && [meaning.above, meaning.from, meaning.below, meaning.to].every((one) => one === undefined))
    return inner
  return JSON.stringify(words.enum) === "[null]" ? { takesNull: true } : meaning
}

const onlyNull = JSON.stringify({ takesNull: true })

function optionsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
