import { afterAll, beforeAll, expect, it } from "vitest"
import { parseAnswer } from "./test/parse-answer.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

async function search(query: string) {
  const { token } = await service.tenants.createToken({ tenantID: "acme", name: "robot" })
  const answer = await service.call(`/v1/search${query}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, body: parseAnswer(answer.body) }
}

it("an empty query finds nothing; ignored query parts are reported", async () => {
  expect(await search("")).toEqual({
    status: 200,
    body: { count: 0, hits: [], next: null, next_cursor: null, problems: [], indexed: 1 },
  })
  const { body } = await search("?q=cost:much")
  expect(body.problems).toEqual(["“cost:much” does not count: it takes dollars, as in cost:>0.5, without a minus."])
})

it("overlong queries and invalid cursors get 400, odd queries do not", async () => {
  expect(await search(`?q=${"a".repeat(2_001)}`)).toEqual({
    status: 400,
    body: { error: "q is longer than 2000 characters" },
  })
  expect(await search("?q=a&cursor=nonsense")).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining("cursor") },
  })
  for (const q of ['"', "NEAR(a b)", "a AND", "% _ '", "%00", "words : {x}", "-", "a*b* ^c", "&limit=x"])
    expect([q, (await search(`?q=${encodeURIComponent(q)}`)).status]).toEqual([q, 200])
})
