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
