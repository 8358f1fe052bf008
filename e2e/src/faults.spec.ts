import { createServer, type Server, type ServerResponse } from "node:http"
import { begin, expect, send, sessionOf, test } from "./fixtures/test.ts"

const stop = { name: "Stop", exact: true } as const

/** A provider whose answers the test writes byte by byte. `port` 0 chooses a free port. */
async function startRawProvider(
  answer: (response: ServerResponse) => void,
  port = 0,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => answer(response))
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the provider has no port")
  return { server, port: address.port }
}

function closeProvider(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** One event of the chat completions stream. */
function chunk(content: string, finish: string | null = null): string {
  const choices = [{ index: 0, delta: { role: "assistant", content }, finish_reason: finish }]
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "raw", choices })}\n\n`
}

function answerWhole(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end(`${chunk(text)}${chunk("", "stop")}data: [DONE]\n\n`)
}

/** A user's docket.json whose only provider listens on `port`. */
function rawConfig(port: number): object {
  const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "test" }
  const provider = { raw: { npm: "@ai-sdk/openai-compatible", name: "Raw", options, models: { raw: { name: "Raw" } } } }
  return { model: "raw/raw", small_model: "raw/raw", provider }
}

test("a mistake in docket.json is shown with file, line and reason", async ({ desk, project }) => {
  await project.write("docket.json", '{\n  "model": "scripted/scripted",\n  "agent": { "build" 3 }\n}\n')
  await desk.goto(new URL("/settings", desk.url()).href)
  await expect(desk.getByText(`${project.directory}/docket.json:3:`)).toBeVisible()
  await expect(desk.getByText(/expected ":"/)).toBeVisible()
})

test("an answer cut by the output limit goes on by Continue", async ({ desk, model }) => {
  model.script({
    "Continue where your answer was cut": [{ text: "And this is the second half." }],
    "Tell a long story": [{ text: "This is the first half.", finish: "length" }],
  })
  await begin(desk, "Tell a long story")
  await expect(desk.getByText("This is the first half.")).toBeVisible()
  await expect(desk.getByText(/output limit after \d+ tokens/)).toBeVisible()
  await desk.getByRole("button", { name: "Continue", exact: true }).click()
  await expect(desk.getByText("And this is the second half.")).toBeVisible()
})

test("a refused key shows advice on a card, and the session continues", {
  tag: "@journey",
}, async ({ desk, model, client, projectID }) => {
  model.script({
    // Listed first, because the prompt without an answer is sent again together with it.
    "Once more": [{ text: "Hello again." }],
    "Say hello": [{ failure: { status: 401, message: "Incorrect API key provided: sk-abcdefghijklmnop1234." } }],
  })
  await begin(desk, "Say hello")
  const card = desk.getByRole("region", { name: "The provider refused the key" })
  await expect(card).toContainText("Check the provider's key in Settings")
  await expect(card).not.toContainText("sk-abcdefghijklmnop1234")
  await expect(card.getByRole("button", { name: "Try again" })).toBeVisible()
  await expect(desk.getByRole("button", stop)).toHaveCount(0)
  await send(desk, "Once more")
  await expect(desk.getByText("Hello again.")).toBeVisible()

  const rows = desk.getByRole("treeitem", { name: /Say hello|New session|Greeting/ })
  const { id: sessionID } = await client.session.create.mutate({ projectID, title: "Greeting" })
  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "Say hello" }] })
  const failed = rows.filter({ has: desk.getByRole("img", { name: "Failed" }) })
  await expect(failed).toHaveCount(1)
  await expect(failed).toContainText("Greeting")
  await failed.click()
  await expect(desk.getByRole("region", { name: "The provider refused the key" })).toBeVisible()
  await expect(failed).toHaveCount(0)
})

test("a provider that is down is retried until the answer comes", async ({ desk, server: docket }) => {
  const down = await startRawProvider(() => {})
  await closeProvider(down.server)
  await docket.configure(rawConfig(down.port))
  await desk.reload()
  await begin(desk, "Are you there")
  // One card counts the attempts and shows the time of the next one.
  const retry = desk.getByText(/attempts? failed: .*cannot be reached.* Attempt \d+ in \d+ s/)
  await expect(retry).toHaveCount(1)
  await expect(desk.getByText(/^[2-9] attempts failed:/)).toHaveCount(1, { timeout: 20_000 })
  const { server } = await startRawProvider((response) => answerWhole(response, "Here I am."), down.port)
  try {
    await expect(desk.getByText("Here I am.")).toHaveCount(1, { timeout: 30_000 })
    await expect(desk.getByRole("button", stop)).toHaveCount(0)
  } finally {
    await closeProvider(server)
  }
})

test("an answer cut inside a character is requested again and shown once", async ({ desk, server: docket, client }) => {
  let cuts = 0
  const { server, port } = await startRawProvider((response) => {
    if (cuts > 0) return answerWhole(response, "Grüße aus 日本.")
    cuts += 1
    const bytes = Buffer.from(chunk("aus 日本."))
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(chunk("Grüße "))
    response.write(bytes.subarray(0, bytes.indexOf(Buffer.from("本")) + 1), () => response.destroy())
  })
  try {
    await docket.configure(rawConfig(port))
    await desk.reload()
    await begin(desk, "Greet Japan")
    await expect(desk.getByText("Grüße aus 日本.")).toHaveCount(1, { timeout: 30_000 })
    await expect(desk.getByRole("button", stop)).toHaveCount(0)
    const { items } = await client.session.messages.query({ sessionID: sessionOf(desk) })
    expect(JSON.stringify(items)).not.toContain("\uFFFD")
  } finally {
    await closeProvider(server)
  }
})

test("Stop ends a provider that stalls", async ({ desk, server: docket }) => {
  const { server, port } = await startRawProvider((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(chunk("I begin"))
  })
  try {
    await docket.configure(rawConfig(port))
    await desk.reload()
    await begin(desk, "Take your time")
    await expect(desk.getByText("I begin")).toBeVisible()
    await desk.getByRole("button", stop).click()
    await expect(desk.getByRole("button", stop)).toHaveCount(0)
    await expect(desk.getByRole("feed").getByText("Stopped", { exact: true })).toBeVisible()
  } finally {
    await closeProvider(server)
  }
})

test("a prompt over the limit stays in the composer, with the reason", async ({
  desk,
  model,
  client,
  projectID,
  browser,
}) => {
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  await prompt.fill("y".repeat(1_153_434))
  await desk.getByRole("button", { name: "Send", exact: true }).click()
  await expect(desk.getByText("This prompt is 1.1 MB and the most is 1 MB.")).toBeVisible()
  expect((await prompt.inputValue()).length).toBe(1_153_434)

  model.script({ "Read this": [{ text: "I have read it." }] })
  const { id: sessionID } = await client.session.create.mutate({ projectID })
  const text = "Read this".padEnd(1_048_576, "y")
  const turn = await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text }] })
  expect(turn.status).toBe("completed")
  const tooLong = client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: `${text}y` }] })
  await expect(tooLong).rejects.toMatchObject({ data: { docketCode: "prompt_too_large" } })

  await desk.goto(new URL(`/s/${sessionID}`, desk.url()).href)
  const row = desk.getByRole("article", { name: /^Prompt: Read this/ })
  await expect(row.getByRole("button", { name: "Show all 1,048,576 characters" })).toBeVisible()
  expect((await row.boundingBox())?.height).toBeLessThan(1_000)
  await row.getByRole("button", { name: "Show all 1,048,576 characters" }).click()
  const viewer = desk.getByRole("dialog", { name: "Whole prompt" })
  await expect(viewer.getByText(/^Read this/)).toBeVisible()
  await desk.keyboard.press("Escape")
  await expect(viewer).toHaveCount(0)

  const { url } = await client.share.create.mutate({ rootID: sessionID })
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  await page.goto(url)
  await expect(page.getByText("The middle of 1 line is left out here.")).toBeVisible()
  // A string, because these files are type-checked without the DOM.
  expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThanOrEqual(1_000)
  await stranger.close()
})

test("a missing project directory is reported in the transcript", async ({ desk, project }) => {
  await project.remove()
  await begin(desk, "Is anyone home")
  await expect(desk.getByText(`There is no directory ${project.directory}`)).toBeVisible()
  await expect(desk.getByText("Is anyone home").first()).toBeVisible()
})

test("a prompt not sent while offline stays in the composer", { tag: "@journey" }, async ({ desk, model, context }) => {
  model.script({ "Say one": [{ text: "One." }], "Say two": [{ text: "Two." }] })
  await begin(desk, "Say one")
  await expect(desk.getByText("One.")).toBeVisible()
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeVisible()
  await context.setOffline(true)
  await send(desk, "Say two")
  await expect(desk.getByText("Docket cannot be reached, so nothing was sent.")).toBeVisible()
  await context.setOffline(false)
  await desk.getByRole("button", { name: "Send", exact: true }).click()
  await expect(desk.getByText("Two.")).toBeVisible()
})

test("a silent service is reported within 20 s, until it speaks again", async ({ desk, model, server }) => {
  await desk.clock.install()
  model.script({ "Say hello": [{ text: "Hello there." }] })
  await begin(desk, "Say hello")
  await expect(desk.getByText("Hello there.")).toBeVisible()
  await expect(desk.getByRole("button", stop)).toHaveCount(0)
  server.freeze()
  await desk.clock.pauseAt(Date.now() + 1_000)
  for (let second = 0; second < 19; second++) await desk.clock.runFor(1_000)
  await expect(desk.getByRole("main").getByText("Reconnecting")).toBeVisible()
  server.thaw()
  await desk.clock.resume()
  await expect(desk.getByRole("main").getByText("Reconnecting")).toHaveCount(0)
})

test("a composer that failed to load appears when the connection is back", async ({
  desk,
  server,
  client,
  projectID,
}) => {
  const { id } = await client.session.create.mutate({ projectID })
  await desk.route(/agent\.list/, (route) => route.abort())
  await desk.goto(new URL(`/s/${id}`, desk.url()).href)
  await expect(desk.getByText("The composer cannot be loaded")).toBeVisible()
  await desk.unroute(/agent\.list/)
  await server.kill()
  await server.restart()
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeVisible()
})

test("a panel opened while offline appears once the connection is back", async ({ desk, context }) => {
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeVisible()
  await context.setOffline(true)
  const refused = desk.waitForEvent("requestfailed", (request) => request.url().endsWith("/login"))
  await desk.getByRole("button", { name: "Command palette" }).click()
  await refused
  await expect(desk.getByRole("heading", { name: "Inbox" })).toBeVisible()
  await context.setOffline(false)
  await expect(desk.getByRole("dialog")).toBeVisible()
})

test("missing code of a panel leaves the page whole, with one notice", async ({ desk, client, projectID }) => {
  const { id } = await client.session.create.mutate({ projectID })
  await desk.goto(new URL(`/s/${id}`, desk.url()).href)
  await desk.getByRole("textbox", { name: "Prompt" }).fill("Not sent yet")
  // Wait for the toasts, which load a second after the page.
  await desk.locator(".mantine-Notifications-root").first().waitFor({ state: "attached" })
  // Like after a new build of the web app: the code that the page wants to load no longer exists.
  let refusedRequests = 0
  const refuseCode = () =>
    desk.route(/\/_next\/static\//, (route) => {
      refusedRequests += 1
      return route.fulfill({ status: 404 })
    })
  await refuseCode()
  await desk.getByRole("button", { name: "Command palette" }).click()
  const note = desk.getByText("A part of this page could not be loaded.")
  await expect(note).toBeVisible()
  expect(refusedRequests).toBeGreaterThan(1)
  // The page ignores keys while the dialog is open.
  const missing = desk.getByRole("dialog", { name: "Not loaded" })
  await expect(missing).toBeFocused()
  await desk.keyboard.type("n")
  await desk.keyboard.press("Escape")
  await expect(missing).toHaveCount(0)
  await expect(desk).toHaveURL(new RegExp(`/s/${id}$`))
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toHaveValue("Not sent yet")
  await desk.getByRole("button", { name: "Model:" }).click()
  await expect(note).toHaveCount(1)
  await expect(desk.getByRole("button", { name: "Model:" })).toBeVisible()
  await desk.unroute(/\/_next\/static\//)
  // Opening a dialog again loads its code again.
  await desk.getByRole("button", { name: "Command palette" }).click()
  await expect(desk.getByRole("textbox", { name: "Command palette" })).toBeFocused()
  await desk.keyboard.press("Escape")
  await expect(desk.getByRole("dialog")).toHaveCount(0)
  // Opening a menu again does the same.
  await expect(note).toContainText("Press again to try once more")
  await desk.getByRole("button", { name: "Model:" }).click()
  await expect(desk.getByRole("listbox")).toBeVisible()
  await expect(note).toHaveCount(0)
  await desk.keyboard.press("Escape")
  await refuseCode()
  await desk.getByRole("button", { name: "Agent:" }).click()
  await expect(note).toBeVisible()
  await desk.unroute(/\/_next\/static\//)
  const loaded = desk.waitForEvent("load")
  await note.getByRole("button", { name: "Reload" }).click()
  await loaded
  // The next page shows the unsent text as soon as it is rendered.
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toHaveValue("Not sent yet")
  await desk.getByRole("button", { name: "Command palette" }).click()
  await expect(desk.getByRole("dialog")).toBeVisible()
})
