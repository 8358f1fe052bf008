import { createConfig, lintFromString } from "@redocly/openapi-core"
import { expect, it } from "vitest"
import { startTestService } from "./test/start-test-service.ts"

async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
  return problems.map(({ ruleId, message, location: [at] }) => `${at?.pointer} ${ruleId}: ${message}`)
}

it("the OpenAPI document is one that others' tools take", async () => {
  const service = await startTestService()
  try {
    const document: object = JSON.parse((await service.call("/v1/openapi.json")).body)
    expect(document).toMatchObject({ openapi: "3.1.0" })
    expect(await lint(document)).toEqual([])
    expect(await lint({ ...document, servers: [] })).toEqual([expect.stringContaining("no-empty-servers")])
  } finally {
    await service.remove()
  }
})
