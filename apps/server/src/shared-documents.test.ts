import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createLinkReaders, createShareReader, type ShareReader } from "@docket/api"
import type { UseCases } from "@docket/core"
import { longestLeak } from "@docket/core/test/longest-leak"
import { secretSamples } from "@docket/core/test/secret-samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"
import { send } from "./test/start-test-service.ts"

let service: OpenedService
let runtime: UseCases
let reader: ShareReader
let rootID: string
let refusing: Server

/** An `Auth` for which nobody is signed in. */
const noAuth = { identify: () => null }

const hostile = "![beacon](https://evil.test/x.png) <script>alert(1)</script> \u001B[31mred \u202Eevil"

/** The real service over SQLite, with a session whose prompts contain secrets of all kinds. */
beforeAll(async () => {
  service = await startOpenedService(await refusingModel())
  runtime = service.local
  reader = createShareReader({
    links: createLinkReaders({ first: { id: "local", runtime: service.opened.runtime } }),
    auth: noAuth,
    ingress: { isSecure: false },
  })
  const [project] = await runtime.project.list()
  const [first] = secretSamples
  const session = await runtime.session.create({ projectID: project?.id ?? "", title: `Use ${first?.text}` })
  rootID = session.id
  for (const { text } of secretSamples.slice(0, 40))
    await runtime.todo.create(
      { sessionID: session.id, content: text.slice(0, 400) },
      { actor: { kind: "user", name: "user" } },
    )
  // The provider refuses, so the turns fail, but the prompts stay.
  const texts = [...secretSamples.map(({ text }) => text), hostile]
  for (let at = 0; at < texts.length; at += 10) await type(texts.slice(at, at + 10))
})

/** Starts a provider that refuses every request. Returns the configuration that uses it. */
async function refusingModel(): Promise<object> {
  refusing = createServer((_, res) => void res.writeHead(401).end("{}")).listen(0, "127.0.0.1")
  await once(refusing, "listening")
  const { port } = refusing.address() as AddressInfo
  const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none" }
  const models = { m: { limit: { context: 1_000_000, output: 1_000 } } }
  return { model: "acme/m", provider: { acme: { npm: "@ai-sdk/openai-compatible", options, models } } }
}

afterAll(async () => {
  refusing.close()
  await service.remove()
})

async function type(texts: string[]): Promise<void> {
  const { id } = await runtime.session.promptAsync({
    sessionID: rootID,
    parts: texts.map((text) => ({ type: "text", text })),
  })
  await runtime.session.wait({ turnID: id })
}

async function share(): Promise<{ id: string; secret: string }> {
  const made = await runtime.share.create({ rootID })
  return { id: made.id, secret: secretOf(made) }
}

const secretOf = ({ url }: { url: string }): string => url.slice(url.lastIndexOf("/") + 1)

const get = (address: string) => send(service.url, address)

/** The text of the event stream for a new reader. */
async function streamed(secret: string): Promise<string> {
  const { tree } = JSON.parse((await get(`/api/share/${secret}`)).body)
  const stop = new AbortController()
  const response = await fetch(`${service.url}/api/share/${secret}/events?since=0`, { signal: stop.signal })
  let text = ""
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes(`:${tree.seq}\n`)) break
  }
  stop.abort()
  return text
}

describe("a shared tree", () => {
  it("shows its typed title without secrets in every document", async () => {
    const [sample] = secretSamples
    if (sample === undefined) throw new Error("no sample")
    const secret = secretOf(await runtime.share.create({ rootID, title: `About ${sample.secret} today` }))
    const documents = await Promise.all(
      ["", ".json", ".md"].map(async (ending) => (await get(`/api/share/${secret}${ending}`)).body),
    )
    for (const body of documents) {
      expect(longestLeak(body, sample)).toBeLessThanOrEqual(4)
      expect(body).toContain("About")
    }
    expect(JSON.parse(documents[0] ?? "").share.title).toBe("About [redacted: AWS access key] today")
  })

  it("contains no planted secret in any document, stream, page or picture", async () => {
    const { secret } = await share()
    const visitor = { secret, cookie: undefined }
    const query = { sessionID: rootID, limit: 2_000 }
    const { items } = await runtime.session.messages(query)
    const parts = items.flatMap((item) => item.parts).map(({ id }) => reader.part(visitor, id))
    const all = {
      tree: (await get(`/api/share/${secret}`)).body,
      messages: (await get(`/api/share/${secret}/session/${rootID}?limit=2000`)).body,
      markdown: (await get(`/api/share/${secret}.md`)).body,
      json: (await get(`/api/share/${secret}.json`)).body,
      stream: await streamed(secret),
      page: JSON.stringify([await reader.tree(visitor), await reader.messages(visitor, query)]),
      picture: JSON.stringify(await Promise.all(parts)),
    }
    for (const [name, text] of Object.entries(all)) {
      expect(text, name).toContain("redacted: ")
      const leaks = secretSamples.filter((sample) => longestLeak(text, sample) > 4).map((sample) => sample.name)
      expect(leaks, name).toEqual([])
    }
  })

  it("downloads as one complete JSON and one complete Markdown document", async () => {
    const { secret } = await share()
    const json = await get(`/api/share/${secret}.json`)
    const { version, sessions, share: info } = JSON.parse(json.body)
    expect([version, sessions.length, info.rootID]).toEqual([1, 1, rootID])
    const { items } = await runtime.session.messages({ sessionID: rootID, limit: 2_000 })
    expect(sessions[0].messages).toHaveLength(items.length)
    expect(sessions[0].todos).toHaveLength(40)
    const markdown = await get(`/api/share/${secret}.md`)
    expect(markdown.body.match(/^### Prompt$/gm)).toHaveLength(
      items.filter(({ info: { role } }) => role === "user").length,
    )
    expect(markdown.body).toContain("\\![beacon](https://evil.test/x.png) \\<script>alert(1)\\</script> red evil")
    expect(json.headers["content-type"]).toBe("application/json; charset=utf-8")
    expect(markdown.headers["content-type"]).toBe("text/markdown; charset=utf-8")
    for (const { headers } of [json, markdown]) {
      expect(headers["content-disposition"]).toMatch(/^attachment; filename="session\.(md|json)"$/)
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex, nofollow",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      })
    }
  })

  it("that is revoked, expired or unknown gets one answer on every route", async () => {
    const revoked = await share()
    await runtime.share.revoke({ shareID: revoked.id })
    const expired = await share()
    await runtime.share.update({ shareID: expired.id, expires: 1 })
    const guessed = "a".repeat(22)
    const routes = ["", ".md", ".json", "/events", `/session/${rootID}`]
    for (const route of routes) {
      const answers = await Promise.all(
        [guessed, revoked.secret, expired.secret].map(async (secret) => {
          const { status, headers, body } = await get(`/api/share/${secret}${route}`)
          const { date: _, ...rest } = headers
          return { status, headers: rest, body }
        }),
      )
      expect(answers[0]?.status).toBe(404)
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    }
    for (const secret of [guessed, revoked.secret, expired.secret]) {
      const visitor = { secret, cookie: undefined }
      const query = { sessionID: rootID, limit: 1 }
      expect([
        await reader.tree(visitor),
        await reader.messages(visitor, query),
        await reader.part(visitor, "prt_x"),
        await reader.facts(visitor),
      ]).toEqual([null, null, null, null])
    }
  })
})
