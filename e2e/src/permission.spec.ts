import { createGate } from "./fixtures/gate.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"

test.use({
  shared: true,
  config: { agent: { general: { permission: { task: "allow" } }, explore: { permission: { bash: "ask" } } } },
})

const delegate = (agent: string, prompt: string): Answer => ({
  calls: [{ tool: "task", args: { description: prompt, prompt, subagent_type: agent } }],
})

/** Runs in the page: a user who allowed notifications and works in another window. */
const lookElsewhere = `
  window.told = []
  window.Notification = class {
    static permission = "granted"
    constructor(title, { body }) { window.told.push(title + ": " + body) }
  }
  localStorage.setItem("docket-notify", "on")
  document.hasFocus = () => false
  void 0
`

test("a grandchild's permission is answered at the root; tab and browser notify", {
  tag: "@journey",
}, async ({ desk, model, project }) => {
  model.script({
    "Prepare the build": [delegate("general", "Prepare it"), { text: "Everything is prepared." }],
    "Prepare it": [delegate("explore", "Tag the state"), { text: "Prepared." }],
    "Tag the state": [
      { calls: [{ tool: "bash", args: { command: "git tag prepared", description: "Tag it" } }] },
      { text: "Made." },
    ],
  })
  await desk.evaluate(lookElsewhere)
  await begin(desk, "Prepare the build")

  const card = desk.getByRole("region", { name: "explore wants to run a command" })
  await expect(card.getByText("git tag prepared")).toBeVisible()
  await expect(desk).toHaveTitle(/^\(\d+\) /)
  await expect(desk.locator("link[rel=icon][data-badge]")).toHaveCount(1)
  const told = () => desk.evaluate("window.told.join()")
  await expect.poll(told).toContain("Needs you")
  await card.getByRole("button", { name: "Allow once" }).click()
  await expect(card).toHaveCount(0)
  await expect(desk.getByText("Everything is prepared.")).toBeVisible()
  await expect.poll(told).toContain("Finished")
  expect(await project.read(".git/refs/tags/prepared")).toMatch(/^[0-9a-f]{40}\n$/)
})

test("a rejection with a message reaches the agent, which goes on", async ({ desk, model, project }) => {
  model.script({
    "Clean up": [delegate("explore", "Remove the notes"), { text: "It was left as it is." }],
    "Remove the notes": [
      { calls: [{ tool: "bash", args: { command: "rm README.md", description: "Remove the notes" } }] },
      { text: "I was told to keep them." },
    ],
  })
  await begin(desk, "Clean up")
  const card = desk.getByRole("region", { name: "explore wants to run a command" })
  // Both reject buttons are on one line, even if the text before them is long.
  const button = (name: string) => card.getByRole("button", { name, exact: true })
  const [no, why] = [await button("Reject").boundingBox(), await button("Reject with a message").boundingBox()]
  expect(no?.y).toBe(why?.y)
  await button("Reject with a message").click()
  await card.getByRole("textbox", { name: "Why not, and what to do instead" }).fill("Keep the notes")
  await card.getByRole("button", { name: "Reject", exact: true }).click()
  await expect(desk.getByText("It was left as it is.")).toBeVisible()
  expect(await project.read("README.md")).toContain("Greeter")
  const told = model.requests.flatMap((request) => request.messages).filter((message) => message.role === "tool")
  expect(JSON.stringify(told)).toContain("Keep the notes")
})

test("on a phone, questions are a list, answered per task or edited", {
  tag: "@journey",
}, async ({ desk, model, client }) => {
  const tag = (name: string): Answer[] => [
    { calls: [{ tool: "bash", args: { command: `git tag ${name}` } }] },
    { calls: [{ tool: "bash", args: { command: `git tag ${name}-again` } }] },
    { text: "Tagged." },
  ]
  const task = (prompt: string) => ({ tool: "task", args: { description: prompt, prompt, subagent_type: "explore" } })
  model.script({
    "Tag both": [{ calls: [task("Tag left"), task("Tag right")] }, { text: "Both are tagged." }],
    "Tag left": tag("left"),
    "Tag right": tag("right"),
  })
  await desk.setViewportSize({ width: 390, height: 700 })
  await begin(desk, "Tag both")
  const list = desk.getByRole("navigation", { name: "2 requests wait for you" })
  const card = desk.getByRole("region", { name: "explore wants to run a command" })
  await list.getByRole("button", { name: "git tag right" }).click()
  await expect(card.getByText("for the task Tag right")).toBeVisible()
  for (const name of ["Allow once", "Always for this task", "Always for this session", "Reject with a message"]) {
    await expect(card.getByRole("button", { name })).toBeInViewport({ ratio: 1 })
  }
  const reason = card.getByRole("textbox", { name: "Why not, and what to do instead" })
  await card.getByRole("button", { name: "Reject with a message" }).click()
  await reason.fill("Keep it")
  await list.getByRole("button", { name: "git tag left" }).click()
  await expect(card.getByText("for the task Tag left")).toBeVisible()
  await expect(reason).toHaveCount(0)
  await list.getByRole("button", { name: "git tag right" }).click()
  await expect(reason).toHaveValue("Keep it")
  await reason.press("Escape")
  await expect(reason).toHaveValue("Keep it")
  await card.getByRole("button", { name: "Back" }).click()
  await card.getByRole("button", { name: "Always for this task" }).click()

  await expect(card.getByText("for the task Tag left")).toBeVisible()
  await expect(list).toHaveCount(0)
  await expect(card).toContainText("“Always” allows these commands in this session and its subagents: git tag *")
  await card.getByRole("button", { name: "Edit" }).click()
  await card.getByRole("textbox", { name: "Always allow these commands" }).fill("git tag left")
  await card.getByRole("button", { name: "Always for this session" }).click()
  await expect(card.getByText("git tag left-again", { exact: true })).toBeVisible()
  await desk.keyboard.press("Alt+y")
  await expect(desk.getByText("Both are tagged.")).toBeVisible()
  expect(await client.permission.list.query({})).toEqual([])
})

test("on a phone, waiting requests leave room for a child's rows", async ({ desk, model, client }) => {
  const tag = (name: string): Answer[] => [
    { text: "I tag it.", calls: [{ tool: "bash", args: { command: `git tag ${name}` } }] },
    { text: "Tagged." },
  ]
  const task = (prompt: string) => ({ tool: "task", args: { description: prompt, prompt, subagent_type: "explore" } })
  model.script({
    "Tag all three": [{ calls: [task("Tag one"), task("Tag two"), task("Tag three")] }, { text: "All are tagged." }],
    "Tag one": tag("one"),
    "Tag two": tag("two"),
    "Tag three": tag("three"),
  })
  for (const height of [844, 664]) {
    await desk.setViewportSize({ width: 390, height })
    if (height === 844) await begin(desk, "Tag all three")
    await expect(desk.getByRole("navigation", { name: "3 requests wait for you" })).toBeVisible()
    const [child] = await client.task.list.query({ sessionID: sessionOf(desk) })
    await desk.goto(new URL(`/s/${sessionOf(desk)}/c/${child?.sessionID}`, desk.url()).href)
    const card = desk.getByRole("region", { name: "explore wants to run a command" })
    await expect(card.getByRole("button", { name: "Allow once" })).toBeInViewport({ ratio: 1 })
    await expect(card.getByRole("button", { name: "Reject", exact: true })).toBeInViewport({ ratio: 1 })
    await expect(desk.getByRole("radiogroup", { name: "Show" })).toBeInViewport({ ratio: 1 })
    await desk.locator("[data-first]").waitFor({ state: "detached" })
    const room = async () => (await desk.getByRole("feed").locator("..").boundingBox())?.height ?? 0
    await expect.poll(room).toBeGreaterThanOrEqual(96)
    await expect(desk.getByRole("feed").getByRole("article").last()).toBeInViewport()
  }
})

test.describe("with a long answer before the request", () => {
  test.use({ config: { permission: { bash: "ask" } } })

  test("a request that takes room keeps the transcript at its end", async ({ desk, model }) => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i + 1}.`).join("\n\n")
    const background = { tool: "async_task", args: { description: "Tag it", prompt: "Tag the end", agent: "general" } }
    const gate = createGate()
    model.script({
      "Explain at length": [
        { text: lines(60), calls: [background] },
        { text: `${lines(40)}\n\nThe very last line.`, gate },
      ],
      "Tag the end": [{ calls: [{ tool: "bash", args: { command: "git tag end" } }] }, { text: "Tagged." }],
      // In the notice of an ended task.
      "background task": [{ text: "Noted." }],
    })
    await begin(desk, "Explain at length")
    await expect(desk.getByRole("button", { name: "Allow once" })).toBeVisible()
    await expect(desk.getByRole("button", { name: /^Open task Tag it/ })).toBeInViewport({ ratio: 1 })
    gate.open()
    const last = desk.getByText("The very last line.")
    await expect(last).toBeInViewport({ ratio: 1 })

    // A user who reads further up stays there.
    await last.hover()
    await desk.mouse.wheel(0, -1_000)
    await expect(last).not.toBeInViewport()
    await desk.getByRole("button", { name: "Allow once" }).click()
    await expect(desk.getByRole("button", { name: /new part/ })).toBeVisible()
    await expect(last).not.toBeInViewport()
  })
})

test("an undelivered answer is reported until Docket can be reached", async ({ desk, model }) => {
  model.script({
    "Tag it": [delegate("explore", "Tag the state"), { text: "It is tagged." }],
    "Tag the state": [{ calls: [{ tool: "bash", args: { command: "git tag done", description: "Tag it" } }] }, {}],
  })
  await begin(desk, "Tag it")
  const card = desk.getByRole("region", { name: "explore wants to run a command" })
  await expect(card).toBeVisible()
  const answers = /permission\.reply|session\.get/
  await desk.route(answers, (route) => route.abort())
  await card.getByRole("button", { name: "Allow once" }).click()
  const error = card.getByText("Docket cannot be reached.")
  await expect(error).toBeVisible()
  await desk.waitForRequest(/session\.get/)
  await expect(error).toBeVisible()
  await desk.unroute(answers)
  await expect(error).toHaveCount(0)
  await card.getByRole("button", { name: "Allow once" }).click()
  await expect(desk.getByText("It is tagged.")).toBeVisible()
})
