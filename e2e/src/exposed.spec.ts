import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { networkInterfaces, tmpdir } from "node:os"
import path from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import type { Browser, Page } from "@playwright/test"
import { appRoutes } from "./fixtures/app-routes.ts"
import { type DocketServer, freePort, startDocket } from "./fixtures/docket-server.ts"
import { makeCertificate } from "./fixtures/make-certificate.ts"
import { firstOwner } from "./fixtures/team-people.ts"
import { test as base, begin, expect, idle, loaded, sessionOf } from "./fixtures/test.ts"

interface Reach {
  /** How members reach the service. */
  reach: "in the clear" | "on this machine" | "over TLS"
}

/** An address of this machine in its network; without one, a name that the service does not treat as loopback. */
const ownAddress =
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? null

const test = base.extend<Reach>({
  reach: ["in the clear", { option: true }],
  server: async ({ reach, project, userConfig }, use) => {
    const directory = await mkdtemp(path.join(tmpdir(), "docket-reach-"))
    const port = await freePort()
    const server = await startDocket({
      project: project.directory,
      config: userConfig,
      port,
      ...(await serverOptions(reach, { port, directory })),
    })
    await use(server)
    await server.stop()
    await rm(directory, { recursive: true })
  },
})

async function serverOptions(reach: Reach["reach"], { port, directory }: { port: number; directory: string }) {
  if (reach === "on this machine") return { team: {} }
  if (reach === "in the clear") {
    const team = { url: `http://${ownAddress ?? "docket.localhost"}:${port}` }
    return { team, args: [...(ownAddress === null ? [] : ["--host", ownAddress]), "--insecure-http"] }
  }
  const { cert, key } = makeCertificate(directory)
  const [certFile, keyFile] = [path.join(directory, "tls.crt"), path.join(directory, "tls.key")]
  await writeFile(certFile, cert)
  await writeFile(keyFile, key)
  // This process also waits for the service by HTTPS, so it must trust the certificate.
  setDefaultCACertificates([...getCACertificates(), cert.toString()])
  return { team: { url: `https://localhost:${port}` }, args: ["--tls-cert", certFile, "--tls-key", keyFile] }
}

/**
 * Every page for signed-in users, for a session in which someone works, and the sign-in pages; shares have no strip.
 */
async function pagesOf(rootID: string): Promise<string[]> {
  const routes = await appRoutes()
  return routes
    .filter((route) => !/^\/(?:share|embed)\/|opengraph-image$/.test(route))
    .map((route) => route.replace("[root]", rootID).replace("[child]", rootID))
}

/** Signs in the first owner of the team, at the inbox. */
async function signInOwner(browser: Browser, server: DocketServer): Promise<Page> {
  const owner = await firstOwner(server)
  const storageState = await owner.storageState()
  await owner.dispose()
  const baseURL = new URL(server.loginUrl).origin
  const context = await browser.newContext({ baseURL, ignoreHTTPSErrors: true, storageState })
  const page = await context.newPage()
  await page.goto("/")
  await loaded(page)
  return page
}

/** The paths whose documents contain the strip: the server renders it, and no script adds it. */
async function pagesWithStrip(page: Page, paths: string[]): Promise<string[]> {
  const documents = await Promise.all(paths.map(async (path) => (await page.request.get(path)).text()))
  return paths.filter((_, at) => documents[at]?.includes("About this connection"))
}

const stripOn = (page: Page) => page.getByRole("complementary", { name: "About this connection" })
const script = {
  "Say hello": [
    { calls: [{ tool: "bash", args: { command: "node src/main.js Ada", description: "Greet Ada" } }] },
    { text: "It greets Ada." },
  ],
}

test.use({ config: { permission: "allow" } })

test("every page sent without encryption says so", async ({ browser, model, server }) => {
  model.script(script)
  const page = await signInOwner(browser, server)
  await begin(page, "Say hello")
  // The strip stays when the user navigates between pages.
  await expect(stripOn(page)).toContainText("Not encrypted: others in this network can read along")
  const paths = await pagesOf(sessionOf(page))
  await page.goto("/settings")
  await expect(stripOn(page)).toBeVisible()
  expect(await pagesWithStrip(page, paths)).toEqual(paths)
})

test("sharing and copying work without browser features of secure pages", async ({ browser, model, server }) => {
  model.script(script)
  const page = await signInOwner(browser, server)
  const failures: string[] = []
  page.on("pageerror", ({ message }) => failures.push(message))
  expect(await page.evaluate("isSecureContext")).toBe(false)
  await begin(page, "Say hello")
  await expect(page.getByText("It greets Ada.")).toBeVisible()
  await idle(page)
  await page.getByRole("button", { name: /Greet Ada/ }).click()
  await page.getByRole("button", { name: "Copy output" }).click()
  await expect(page.getByText("The browser did not let it be copied")).toBeVisible()
  await page.getByRole("button", { name: "Share…" }).click()
  const dialog = page.getByRole("dialog", { name: "Share this session" })
  await dialog.getByRole("button", { name: "Publish" }).click()
  await expect(dialog.getByRole("textbox", { name: "Public link" })).toHaveValue(/\/share\//)
  await dialog.getByRole("button", { name: "Copy", exact: true }).click()
  await expect(page.getByText("The browser does not let this page copy the link")).toBeVisible()
  expect(failures).toEqual([])
})

test("a link's password works without encryption", async ({ browser, model, server }) => {
  model.script(script)
  const page = await signInOwner(browser, server)
  await begin(page, "Say hello")
  await expect(page.getByText("It greets Ada.")).toBeVisible()
  const url = await page.evaluate(async (rootID) => {
    const body = JSON.stringify({ rootID, password: "correct horse" })
    const headers = { "content-type": "application/json" }
    const answer = await fetch("/api/trpc/share.create", { method: "POST", headers, body })
    const { result } = (await answer.json()) as { result: { data: { url: string } } }
    return result.data.url
  }, sessionOf(page))
  const reader = await (await browser.newContext()).newPage()
  await reader.goto(url)
  await reader.getByLabel("Has it a password?").fill("correct horse")
  await reader.getByLabel("Has it a password?").press("Enter")
  await expect(reader.getByText("It greets Ada.")).toBeVisible()
})

for (const reach of ["on this machine", "over TLS"] as const) {
  test.describe(reach, () => {
    test.use({ reach })

    test("a page whose traffic nobody can read shows no warning", async ({ browser, model, server }) => {
      model.script(script)
      const page = await signInOwner(browser, server)
      expect(await page.evaluate("isSecureContext")).toBe(true)
      await begin(page, "Say hello")
      const rootID = sessionOf(page)
      await expect(stripOn(page)).toHaveCount(0)
      await page.goto("/settings")
      await loaded(page)
      await expect(stripOn(page)).toHaveCount(0)
      expect(await pagesWithStrip(page, await pagesOf(rootID))).toEqual([])
    })
  })
}
