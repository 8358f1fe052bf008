import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { test } from "./fixtures/nodes-test.ts"
import { expect } from "./fixtures/service-test.ts"

const host = "docket.example.org"
const behindProxy = { args: ["--trust-proxy", "127.0.0.1"] }

/** The status of an answer to the proxy, which says how the browser asked. */
async function throughProxy(url: string, scheme: "http" | "https"): Promise<number | undefined> {
  const headers = { host, "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": scheme }
  const sent = request(`${url}/api/ready`, { headers }).end()
  // `as`: the types of events do not say what they carry.
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

test("nodes behind a proxy learn the team's address from the database", async ({ startNode, project }) => {
  const first = await startNode("web", { ...behindProxy, team: { url: `https://${host}` } })
  // Its file with the settings is gone, because they are a row now.
  await first.end()
  await first.restart()
  const second = await startNode("web", behindProxy)
  const worker = await startNode("worker", { project: project.directory })
  for (const { url } of [first, second]) {
    expect(await throughProxy(url, "https")).toBe(200)
    expect(await throughProxy(url, "http")).toBe(403)
  }
  // A worker answers programs of its own machine.
  expect(await (await fetch(`${worker.url}/api/ready`)).json()).toMatchObject({ status: "ready" })
  expect(await throughProxy(worker.url, "https")).toBe(403)
})
