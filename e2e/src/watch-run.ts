import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { parseArgs } from "node:util"
import { createDocketClient } from "@docket/client"
import { chromium } from "@playwright/test"
import playwright from "../playwright.config.ts"
import { startDocket } from "./fixtures/docket-server.ts"
import { createMeeting } from "./fixtures/gate.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { createProject } from "./fixtures/project.ts"
import { startScriptedModel } from "./fixtures/scripted-model.ts"
import { signIn } from "./fixtures/test.ts"
import { activities, type Desk } from "./watch/activities.ts"
import { crashService } from "./watch/crash-service.ts"
import { createFaults } from "./watch/faults.ts"
import { createLongWork, firstPrompt, longWorkConfig } from "./watch/long-work.ts"
import { answer, settled, tend } from "./watch/people.ts"
import { createRandom } from "./watch/random.ts"
import { openReader, type Reader, type Screen } from "./watch/reader.ts"
import { toLatest } from "./watch/reading.ts"
import { createReport } from "./watch/report.ts"
import { readState } from "./watch/row-watch.ts"
import { expectStatuses, expectTotals } from "./watch/same-as-service.ts"

// Watches a long run on three screens: node e2e/src/watch-run.ts [FOLDER] [--minutes 30] [--seed N]
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "30" }, seed: { type: "string", default: String(Date.now() % 1e9) } },
})
const [target = "test-results/watch-run"] = positionals
const folder = path.resolve(target)
const minutes = Number(values.minutes)
const random = createRandom(Number(values.seed))

const screens: Screen[] = [
  { name: "wide", width: 1440, height: 900, colorScheme: "light", touch: false },
  { name: "wider", width: 1920, height: 1200, colorScheme: "dark", touch: false },
  { name: "phone", width: 390, height: 844, colorScheme: "dark", touch: true },
]
/** Time between two screenshots of a screen (ms). */
const pictureEvery = 120_000

await mkdir(folder, { recursive: true })
console.log(`${minutes} minutes, seed ${values.seed}, pictures in ${folder}`)
const model = await startScriptedModel({ kept: 20 })
const project = await createProject()
const server = await startDocket({ project: project.directory, config: modelConfig(model.url, longWorkConfig) })
const client = createDocketClient({ url: server.url, token: server.token })
const browser = await chromium.launch(playwright.use?.launchOptions ?? {})
let began = Date.now()
const readers: Reader[] = []
const faults = createFaults(
  () => Date.now() - began,
  (line, where) => {
    console.log(`FAULT ${line}`)
    const seenBy = readers.find(({ name }) => name === where)
    if (seenBy) void keepEvidence(seenBy, faults.list().length)
  },
)
const report = createReport()
try {
  const work = createLongWork(random)
  model.script(work.script)
  const desk: Desk = { client, model, work, random, faults, rootID: await begin() }
  const storageState = await signedIn()
  for (const screen of screens) {
    const reader = await openReader({ browser, server: server.url, storageState, faults }, screen)
    readers.push(reader)
    await reader.page.goto(`${server.url}/s/${desk.rootID}`)
    await reader.page.getByRole("feed").locator("article").first().waitFor()
  }
  began = Date.now()
  await watch(desk)
  work.end()
  await finish(desk)
  for (const reader of readers) await reader.close()
} finally {
  await browser.close()
  await server.stop()
  await Promise.all([model.stop(), project.remove()])
}
const text = report.text(faults, { minutes: (Date.now() - began) / 60_000, seed: values.seed })
await writeFile(path.join(folder, "report.txt"), text)
console.log(text)
process.exitCode = faults.list().length > 0 ? 1 : 0

/** Creates the session of the run and sends its first prompt. */
async function begin(): Promise<string> {
  const { id: projectID } = await client.project.open.mutate({ directory: project.directory })
  const { id } = await client.session.create.mutate({ projectID })
  await client.session.promptAsync.mutate({ sessionID: id, parts: [{ type: "text", text: firstPrompt }] })
  return id
}

async function signedIn() {
  const context = await browser.newContext()
  await signIn(await context.newPage(), server)
  const state = await context.storageState()
  await context.close()
  return state
}

/** Runs all readers in parallel until the time is over, with a crash of the service in the middle. */
async function watch(desk: Desk): Promise<void> {
  const end = began + minutes * 60_000
  const crashAt = began + minutes * 30_000
  const meeting = createMeeting(readers.length + 1)
  const restarted = Promise.withResolvers<void>()
  const read = async (reader: Reader) => {
    let crashed = false
    let lastPicture = 0
    while (Date.now() < end) {
      try {
        if (!crashed && Date.now() > crashAt) {
          crashed = true
          await crashService(reader, desk, { meeting, restarted: restarted.promise })
        } else await readOn(reader, desk)
      } catch (error) {
        await keepEvidence(reader, faults.list().length + 1)
        faults.add(reader.name, String(error instanceof Error ? error.message : error).slice(0, 1_500))
        await reader.page.goto(`${server.url}/s/${desk.rootID}`).catch(() => undefined)
      }
      if (Date.now() - lastPicture < pictureEvery) continue
      lastPicture = Date.now()
      await look(reader)
    }
  }
  // Beside the readers: acts on the service, and crashes it in the middle.
  const others = async () => {
    let crashed = false
    while (Date.now() < end) {
      await delay(random.between(4_000, 9_000))
      if (!crashed && Date.now() > crashAt) {
        crashed = true
        await meeting.wait()
        await server.kill()
        await delay(5_000)
        await server.restart()
        restarted.resolve()
      }
      await tend(desk).catch((error: unknown) => faults.add("service", String(error)))
    }
  }
  await Promise.all([...readers.map(read), others()])
}

/** One activity of a reader, and the checks before it. */
async function readOn(reader: Reader, desk: Desk): Promise<void> {
  const [first, ...more] = activities[reader.name] ?? []
  if (!first) throw new Error(`nothing is known of what ${reader.name} does`)
  if (reader.touch) while (await answer(reader, desk));
  else await expectStatuses(reader, desk)
  if (reader.name === "wide") {
    await reader.page.getByRole("tab", { name: "Cost" }).click()
    await expectTotals(reader, desk)
  }
  const activity = random.one([first, ...more])
  const start = Date.now()
  console.log(`${((start - began) / 60_000).toFixed(1)} min, ${reader.name}: ${activity.name}`)
  await activity(reader, desk)
  report.did(activity.name, Date.now() - start)
}

/** Takes a screenshot and the measurements of a screen. */
async function look(reader: Reader): Promise<void> {
  await picture(reader, `${Math.round((Date.now() - began) / 60_000)}`.padStart(2, "0"))
  const figures = await reader.measure()
  for (const { path: at } of figures.rows.blank) faults.add(reader.name, `no row was in sight at ${at}`)
  report.measured(reader.name, { minute: (Date.now() - began) / 60_000, ...figures })
}

/** Saves the state and a screenshot of the page when a fault is found. */
async function keepEvidence(reader: Reader, fault: number): Promise<void> {
  try {
    const state = JSON.stringify(await readState(reader.page), null, 2)
    await writeFile(path.join(folder, `${reader.name}-fault-${fault}.json`), state, { flag: "wx" })
    await picture(reader, `fault-${fault}`)
  } catch (error) {
    console.log(`nothing more is known of fault ${fault}: ${String(error)}`)
  }
}

async function picture({ page, name }: Reader, what: string): Promise<void> {
  await page.screenshot({ path: path.join(folder, `${name}-${what}.png`), timeout: 60_000 })
}

/** Lets all work end, and compares what the screens show then. */
async function finish(desk: Desk): Promise<void> {
  const phone = readers.find(({ touch }) => touch)
  if (phone) await settled(phone, desk)
  for (const reader of readers) {
    try {
      await toLatest(reader)
      if (!reader.touch) await expectStatuses(reader, desk)
      if (reader.name === "wide") await expectTotals(reader, desk)
    } catch (error) {
      faults.add(reader.name, `at the end: ${String(error)}`)
    }
    await look(reader)
  }
  const { sessions, tasks, permissions } = await client.session.tree.query({ sessionID: desk.rootID })
  const pending = permissions.filter(({ status }) => status === "pending")
  if (pending.length > 0) faults.add("service", `${pending.length} requests wait though nothing works`)
  let parts = 0
  for (const { id: sessionID } of sessions) {
    const { items } = await client.session.messages.query({ sessionID, limit: 2_000 })
    parts += items.reduce((sum, message) => sum + message.parts.length, 0)
  }
  report.ended({ sessions: sessions.length, tasks: tasks.length, parts })
}
