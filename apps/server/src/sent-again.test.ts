import { afterAll, beforeAll, expect, test } from "vitest"
import { startTestService, type TestService } from "./test/start-test-service.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

async function robot(name: string) {
  const { token } = await service.tenants.createToken({ tenantID: "shop", name })
  return async (path: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": key }
    const answer = await service.call(path, { method: "POST", headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(201)
    const made = JSON.parse(answer.body)
    return (made.todo ?? made).id as number
  }
}

test.each([
  ["/v1/todos", { subject: "Look" }],
  ["/v1/memory/entries", { type: "reference", title: "Fact" }],
])("POST %s with an Idempotency-Key makes one, however often a program sends it", async (path, body) => {
  const post = await robot("one")
  const other = await robot("other")
  const ids = await Promise.all([post(path, "k", body), post(path, "k", body)])
  expect(new Set([...ids, await post(path, "k", body)]).size).toBe(1)
  const others = [await post(path, "k", { ...body, tags: ["b"], description: "b" }), await post(path, "l", body)]
  expect(new Set([ids[0], ...others, await other(path, "k", body)]).size).toBe(4)
})
