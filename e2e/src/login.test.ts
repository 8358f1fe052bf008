import { request as httpRequest } from "node:http"
import { createDocketClient, httpStatus } from "@docket/client"
import { expect, test } from "./fixtures/service-test.ts"

test("a wrong token is refused", async ({ server }) => {
  const client = createDocketClient({ url: server.url, token: "x".repeat(43) })
  const error = await client.session.list.query({}).catch((reason: unknown) => reason)
  expect(httpStatus(error)).toBe(401)
  const plain = await fetch(`${server.url}/api/trpc/session.list`)
  expect(plain.status).toBe(401)
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
})

test("requests for another host or from another site are always refused", async ({ server }) => {
  const status = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL("/api/trpc/session.list?input=%7B%7D", server.url)
      const authorization = `Bearer ${server.token}`
      httpRequest(url, { headers: { authorization, ...headers } }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on("error", reject)
        .end()
    })
  expect(await status({})).toBe(200)
  expect(await status({ host: "evil.example" })).toBe(421)
  expect(await status({ origin: "https://evil.example" })).toBe(403)
  expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403)
})
