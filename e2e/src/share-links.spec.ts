import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { DocketClient } from "@docket/client"
import { secretSamples } from "@docket/core/test/secret-samples"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { permission: "allow" } })

test("guessed, revoked, expired and closed links answer alike, to the byte", async ({ client, projectID, server }) => {
  const { id: rootID } = await client.session.create.mutate({ projectID, title: "Nobody may know" })
  const make = async (choice: object) => new URL((await client.share.create.mutate({ rootID, ...choice })).url).pathname
  const revoked = await client.share.create.mutate({ rootID })
  await client.share.revoke.mutate({ shareID: revoked.id })
  const expired = await client.share.create.mutate({ rootID })
  await client.share.update.mutate({ shareID: expired.id, expires: 1 })
  const links = [
    "/share/AAAAAAAAAAAAAAAAAAAAAA",
    new URL(revoked.url).pathname,
    new URL(expired.url).pathname,
    await make({ audience: "workspace" }),
    await make({ password: "correct horse" }),
  ]
  const part = "prt_000000000000AAAAAAAAAAAAAA"
  const pages = ["", `/c/${rootID}`, `/p/${part}`, "?tried=1", "/opengraph-image", `/p/${part}/opengraph-image`]
  const routes = ["", ".md", ".json", "/events", "/visit", `/session/${rootID}`]
  const answers = links.map(async (link) => {
    const addresses = [...pages.map((page) => link + page), link.replace("/share/", "/embed/")]
    const api = routes.map((route) => `/api${link}${route}`)
    return Promise.all([...addresses, ...api].map((address) => answer(server.url + address, link)))
  })
  const [guessed = [], ...others] = await Promise.all(answers)
  for (const each of guessed) expect(each).toMatch(/^404 /)
  for (const other of others) expect(other).toEqual(guessed)

  const attempts = links.map((link) =>
    answer(server.url + link, link, { method: "POST", body: new URLSearchParams({ password: "wrong horse" }) }),
  )
  const [first, ...rest] = await Promise.all(attempts)
  expect(first).toMatch(/^303 /)
  for (const each of rest) expect(each).toBe(first)
})

test("a link asks for its password, and again after it changed", async ({ client, page, projectID }) => {
  const { id: rootID } = await client.session.create.mutate({ projectID, title: "For a few" })
  const { id: shareID, url } = await client.share.create.mutate({ rootID, password: "correct horse" })
  const submitPassword = async (password: string) => {
    await page.getByLabel("Has it a password?").fill(password)
    await page.getByRole("button", { name: "Open" }).click()
  }
  await page.goto(url)
  await submitPassword("wrong horse")
  await expect(page.getByText("That did not open it")).toBeVisible()
  await submitPassword("correct horse")
  await expect(page.getByRole("heading", { name: "For a few" })).toBeVisible()
  // The browser still sends the old cookie, but it no longer opens the link.
  await client.share.update.mutate({ shareID, password: "another horse" })
  await page.goto(url)
  await submitPassword("another horse")
  await expect(page.getByRole("heading", { name: "For a few" })).toBeVisible()
})

/** Everything in an answer, except what differs each time: the time, the nonce and the link itself. */
async function answer(url: string, link: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { redirect: "manual", ...init })
  const { date: _, ...headers } = Object.fromEntries(response.headers)
  const nonce = /'nonce-([^']+)'/.exec(headers["content-security-policy"] ?? "")?.[1] ?? "no nonce"
  return `${response.status} ${JSON.stringify(headers)} ${await response.text()}`
    .replaceAll(nonce, "<nonce>")
    .replaceAll(link.split("/")[2] ?? "", "<link>")
}

test("fifty kinds of planted secrets are in no byte of a share", async ({ client, projectID, model }) => {
  const groups = Array.from({ length: 6 }, (_, nth) =>
    secretSamples
      .filter((_sample, at) => at % 6 === nth)
      .map(({ text }) => text)
      .join("\n\n"),
  )
  const [content = "", ...typed] = groups
  model.script({
    "Say them": [{ calls: [{ tool: "write", args: { filePath: "notes.txt", content } }] }, { text: "That is all." }],
  })
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  const parts = ["Say them", ...typed].map((text) => ({ type: "text" as const, text }))
  await client.session.prompt.mutate({ sessionID, parts })
  // Every place contains a secret to hide.
  await client.session.update.mutate({ sessionID, title: `Use ${secretSamples[0]?.secret}` })
  const { url } = await client.share.create.mutate({ rootID: sessionID })
  const api = url.replace("/share/", "/api/share/")
  const pages = (await partsOf(client, sessionID)).map((id) => `${url}/p/${id}`)
  const frame = url.replace("/share/", "/embed/")
  const documents = [api, `${api}.md`, `${api}.json`, `${api}/session/${sessionID}?limit=2000`]
  for (const address of [url, `${url}?end=1`, frame, ...pages, ...documents]) {
    const response = await fetch(address)
    expect([address, response.status]).toEqual([address, 200])
    expectNoSecret(address, await response.text())
  }
  // Like a page that refreshes after an event.
  expectNoSecret("page again", await (await fetch(url, { headers: { rsc: "1" } })).text())
  expectNoSecret("stream", await streamed(`${api}/events?since=0`, "That is all."))
})

async function partsOf(client: DocketClient, sessionID: string): Promise<string[]> {
  const { items } = await client.session.messages.query({ sessionID })
  return items.flatMap(({ parts }) => parts).flatMap(({ id, type }) => (type === "text" || type === "tool" ? [id] : []))
}

/** The text contains no secret, even if markup splits it. */
function expectNoSecret(place: string, text: string): void {
  expect(text, place).toContain("redacted: ")
  const shownPieces = new Set([text, text.replace(/<[^>]*>/g, "")].flatMap(pieces))
  const leaks = secretSamples.filter(({ secret, publicPart }) => {
    const own = secret.slice(publicPart.length).replace(/-----END[\s\S]*$/, "")
    return pieces(own).some((piece) => shownPieces.has(piece))
  })
  expect(
    leaks.map(({ name }) => name),
    place,
  ).toEqual([])
}

/** All pieces of a text that are long enough not to match by accident. */
function pieces(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 6) }, (_, at) => text.slice(at, at + 7))
}

/** The text of a stream until it contains these words. */
async function streamed(address: string, words: string): Promise<string> {
  const controller = new AbortController()
  const response = await fetch(address, { signal: controller.signal })
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes(words)) break
  }
  controller.abort()
  return text
}

test("only allowed sites can embed a share", async ({ client, projectID, server, userConfig, page }) => {
  const { id: rootID } = await client.session.create.mutate({ projectID, title: "For the wiki" })
  const { url } = await client.share.create.mutate({ rootID })
  const frames = [url.replace("/share/", "/embed/"), url].map((address) => `<iframe src="${address}"></iframe>`)
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(frames.join(""))
  }).listen(0, "127.0.0.1")
  await once(site, "listening")
  // A listening server has an address.
  const { port } = site.address() as AddressInfo
  await server.configure({ ...userConfig, share_embed_sites: [`http://localhost:${port}`] })
  // The service reloads its configuration after a moment.
  const policy = async () => (await fetch(url.replace("/share/", "/embed/"))).headers.get("content-security-policy")
  await expect.poll(policy).toContain(`http://localhost:${port}`)
  const refused: string[] = []
  page.on("console", (message) => {
    if (message.text().includes("frame-ancestors")) refused.push(message.text())
  })
  const framed = page.frameLocator("iframe").first().getByRole("heading", { name: "For the wiki" })
  await page.goto(`http://localhost:${port}`)
  await expect(framed).toBeVisible()
  // Only the embed address may be framed there, and not the share page.
  await expect.poll(() => refused.length).toBe(1)
  await page.goto(`http://127.0.0.1:${port}`)
  // Another site may frame neither, which is two refusals more.
  await expect.poll(() => refused.length).toBe(3)
  await expect(framed).toHaveCount(0)
  site.close()
  site.closeAllConnections()
})
