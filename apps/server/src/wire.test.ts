import { readFile } from "node:fs/promises"
import path from "node:path"
import { idPrefix } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { describeOpenApi } from "./test/describe-openapi.ts"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"
import { send } from "./test/start-test-service.ts"
import { type WireCall, type WireNames, wireCalls } from "./test/wire-calls.ts"

let service: OpenedService
let names: WireNames
const tokens = new Map<WireCall["as"], string>()

/** The real service over SQLite, with a session that is shared. */
beforeAll(async () => {
  service = await startOpenedService()
  const { local } = service
  const [project] = await local.project.list()
  const session = await local.session.create({ projectID: project?.id ?? "", title: "Wire" })
  names = {
    session: session.id,
    secret: (await local.share.create({ rootID: session.id })).url.slice("/share/".length),
  }
  tokens.set(undefined, (await readFile(service.tokenFile, "utf8")).trim())
  tokens.set("robot", (await service.opened.tenants.createToken({ tenantID: "robots", name: "robot" })).token)
})
afterAll(() => service.remove())

/** The answer to a call, on one line. */
async function record({ method, path: address, body, as, headers }: WireCall): Promise<string> {
  const token = tokens.get(as)
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
  const answer = await send(service.url, address, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(text !== undefined && { body: text }),
  })
  const { date: _, connection: _connection, "keep-alive": _keep, "content-length": length, ...rest } = answer.headers
  const said = Object.entries(rest).filter(([name, value]) => usual[name] !== value)
  const sized = (length === undefined) === (rest["transfer-encoding"] === "chunked") ? "" : " without a length"
  const content = address.startsWith("/v1/openapi") && method === "GET" ? "the document" : answer.body
  const head = plain(`${method} ${address} ${as ?? ""}`).trim()
  const call = `${head.slice(0, 120)} ${plain(text ?? "").slice(0, 120)}`.trim()
  return `${call}\n  ${plain(`${answer.status}${sized} ${JSON.stringify(Object.fromEntries(said))} ${content}`)}`
}

/** Headers of every answer of the plain routes; only differences are recorded. */
const usual: Record<string, string> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "content-type": "application/json; charset=utf-8",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

/** Replaces what differs in each run. */
function plain(text: string): string {
  return text
    .replaceAll(names.secret, "<secret>")
    .replaceAll(service.directory, "<directory>")
    .replaceAll(new URL(service.url).host, "<host>")
    .replaceAll(path.basename(service.directory), "<name>")
    .replaceAll(/login#[\w-]+/g, "login#<code>")
    .replaceAll(/docket_[0-9a-f]{8}/g, "<cookie>")
    .replaceAll(/atr_[0-9a-f]{64}/g, "<token>")
    .replaceAll(/\b([a-z]{3})_(?!0{26})[0-9A-Za-z]{26}\b/g, "$1_…")
    .replaceAll(/\b1[0-9]{12}\b/g, "<ms>")
    .replaceAll(/\b1[0-9]{9}\b/g, "<s>")
    .replaceAll(/"durationMs":\d+/g, '"durationMs":<n>')
}

it("plain routes answer as recorded", async () => {
  const lines: string[] = []
  for (const call of wireCalls(names)) lines.push(await record(call))
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./test/wire-record.txt")
})

it("the OpenAPI document matches its record", async () => {
  const document: unknown = await (await fetch(`${service.url}/v1/openapi.json`)).json()
  await expect(describeOpenApi(document)).toMatchFileSnapshot("./test/openapi-record.txt")
})

it("every /v1 route refuses unknown parameters and keys by name", async () => {
  const v1 = (method: string, address: string, body?: unknown) =>
    send(service.url, address, {
      method,
      headers: { authorization: `Bearer ${tokens.get(undefined)}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const made = await v1("POST", "/v1/schedules", { schedule: "hourly", message: "x" })
  const { scheduled_task: schedule } = z
    .object({ scheduled_task: z.object({ id: z.int() }) })
    .parse(JSON.parse(made.body))
  const Paths = z.record(z.string(), z.record(z.string(), z.object({ requestBody: z.unknown().optional() })))
  const { paths } = z.object({ paths: Paths }).parse(await (await fetch(`${service.url}/v1/openapi.json`)).json())
  const prefixes: Record<string, string> = {
    sessions: idPrefix.session,
    tasks: idPrefix.task,
    threads: idPrefix.reviewThread,
    turns: idPrefix.turn,
    permissions: idPrefix.permission,
    questions: idPrefix.permission,
  }
  const id = (address: string) => {
    const prefix = prefixes[address.split("/")[2] ?? ""]
    return prefix === undefined ? String(schedule.id) : names.session.replace("ses", prefix)
  }
  const count = { params: 0, keys: 0 }
  for (const [shape, methods] of Object.entries(paths)) {
    if (!shape.startsWith("/v1/") || shape.startsWith("/v1/openapi")) continue
    const address = shape.replace("{id}", id(shape))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const answer = await v1(
        method.toUpperCase(),
        `${address}?zzzzzzzzzz=1`,
        requestBody === undefined ? undefined : {},
      )
      expect(`${method} ${shape} ${answer.status} ${answer.body}`).toContain(
        ' 400 {"error":"There is no key \\"zzzzzzzzzz\\"',
      )
      count.params += 1
      if (!JSON.stringify(requestBody ?? "").includes("application/json")) continue
      const body = await v1(method.toUpperCase(), address, { zzzzzzzzzz: 1 })
      expect(`${method} ${shape} ${body.status} ${body.body}`).toContain(
        ' 400 {"error":"There is no key \\"zzzzzzzzzz\\"',
      )
      count.keys += 1
    }
  }
  expect(count.params).toBeGreaterThan(25)
  expect(count.keys).toBeGreaterThan(8)
  const batch = await v1("PATCH", "/v1/todos", [{ id: 1, subjekt: "x" }])
  expect(batch.body).toContain('There is no key \\"subjekt\\" here. Did you mean \\"subject\\"?')
})
