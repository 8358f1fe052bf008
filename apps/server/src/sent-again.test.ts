import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { startTestService, type TestService } from "./test/start-test-service.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

/** A program with a token of its own: a function that posts with an idempotency key and resolves with the item's id. */
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
  ["/v1/todos", { subject: "Look" }, { description: "b" }],
  ["/v1/memory/entries", { type: "reference", title: "Fact" }, { tags: ["b"] }],
])("POST %s creates one item for all requests with one Idempotency-Key", async (path, body, more) => {
  const post = await robot("one")
  const other = await robot("other")
  const ids = await Promise.all([post(path, "k", body), post(path, "k", body)])
  expect(new Set([...ids, await post(path, "k", body)]).size).toBe(1)
  const others = [await post(path, "k", { ...body, ...more }), await post(path, "l", body)]
  expect(new Set([ids[0], ...others, await other(path, "k", body)]).size).toBe(4)
})

const program = fileURLToPath(new URL("./main.js", import.meta.url))

/** A service process on a data directory, and a function that sends requests with an idempotency key. */
async function startProcess(
  home: string,
): Promise<{ child: ChildProcess; ask: (name: string, body: object) => Promise<string> }> {
  const data = path.join(home, "data")
  const args = [program, "--no-web", "--json", "--port", "0", "--data", data, "--project", home]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const [line] = await once(child.stdout, "data")
  const { url, tokenFile } = JSON.parse(String(line))
  const headers = {
    authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}`,
    "content-type": "application/json",
    "idempotency-key": "k",
  }
  const ask = async (name: string, body: object) => {
    const answer = await fetch(`${url}/api/trpc/${name}`, { method: "POST", headers, body: JSON.stringify(body) })
    const { result } = JSON.parse(await answer.text())
    return (result.data.session ?? result.data).id
  }
  return { child, ask }
}

test("a repeated request key returns the original item after a service kill", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "docket-again-"))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const first = await startProcess(home)
  const projectID = await first.ask("project.open", { directory: home })
  const start = { projectID, parts: [{ type: "text", text: "Look around" }] }
  const sessionID = await first.ask("session.start", start)
  const exit = once(first.child, "exit")
  first.child.kill("SIGKILL")
  await exit
  const second = await startProcess(home)
  expect(await second.ask("session.start", start)).toBe(sessionID)
  expect(await second.ask("session.start", { ...start, title: "Another" })).not.toBe(sessionID)
})
