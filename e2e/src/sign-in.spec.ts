import { appCode } from "@docket/config/app-code"
import { type Browser, test as base, expect, type Page } from "@playwright/test"
import { type DocketServer, freePort, startDocket } from "./fixtures/docket-server.ts"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { type IdentityProvider, signInThere, startIdentityProvider } from "./fixtures/identity-provider.ts"
import { createProject, type Project } from "./fixtures/project.ts"
import { ada, firstOwner, joinTeam } from "./fixtures/team-people.ts"

interface Fixtures {
  project: Project
  port: number
  provider: IdentityProvider
  server: DocketServer
  /** Where people reach it. */
  origin: string
}

/** A team's server that also takes accounts of a provider. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  project: async ({}, use) => {
    const project = await createProject()
    await use(project)
    await project.remove()
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  port: async ({}, use) => use(await freePort()),
  origin: async ({ port }, use) => use(`http://localhost:${port}`),
  provider: async ({ origin }, use) => {
    const provider = await startIdentityProvider(`${origin}/sign-in/example`)
    await use(provider)
    await provider.stop()
  },
  server: async ({ project, provider, port }, use) => {
    const { issuer, clientId, clientSecret } = provider
    const oidc = [{ id: "example", name: "Example", issuer, clientId, clientSecret, allowPrivate: true }]
    const server = await startDocket({ project: project.directory, port, team: { oidc } })
    await use(server)
    await server.stop()
  },
})

async function typePassword(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

const isIn = (page: Page) => expect(page.getByRole("heading", { name: "Inbox" })).toBeVisible()

/** A person's own browser. */
async function newBrowser(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(url)
  return page
}

/** Leaves, as if the browser had never been signed in. The page is left first: it would go to the login page by itself. */
async function forget(page: Page): Promise<void> {
  await page.goto("about:blank")
  await page.context().clearCookies()
}

/** A device that asks for a fingerprint, and always sees the right one. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options })
  return { session, authenticatorId }
}

test("a person signs in with a password, and comes to the page that they asked for", async ({
  page,
  server,
  origin,
}) => {
  await firstOwner(server)
  await page.goto(`${origin}/todos?status=done`)
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible()
  await typePassword(page, { ...ada, password: "not the password" })
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "The e-mail address or the password is not right. Try again.",
  )
  await typePassword(page, ada)
  await expect(page).toHaveURL(`${origin}/todos?status=done`)
})

test("no address of a login page leads away from it", async ({ browser, server, origin }) => {
  await firstOwner(server)
  for (const next of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "%2F%2Fevil.example",
    "/%09/evil.example",
    "javascript:alert(1)",
    "/login?next=//evil.example",
  ]) {
    const page = await newBrowser(browser, `${origin}/login?next=${encodeURIComponent(next)}`)
    await typePassword(page, ada)
    await page.waitForURL((url) => url.pathname !== "/login")
    expect(new URL(page.url()).origin).toBe(origin)
    await page.context().close()
  }
})

test("a person sets up codes of an app, signs in with one, with a backup code, and turns them off", async ({
  page,
  browser,
  server,
  origin,
}) => {
  await firstOwner(server)
  await page.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await typePassword(page, ada)
  const codes = page.getByRole("region", { name: "Codes of an app" })
  await codes.getByRole("button", { name: "Set up" }).click()
  await codes.getByLabel("Your password").fill(ada.password)
  await codes.getByRole("button", { name: "Go on" }).click()
  await expect(codes.getByRole("img", { name: "QR code for an authenticator app" })).toBeVisible()
  expect(await findViolationsInLightAndDark(page)).toEqual([])
  const key = (await codes.locator("[class*=secret]").innerText()).replaceAll(" ", "")
  const app = `otpauth://totp/Docket:${ada.email}?secret=${key}`
  await codes.getByLabel("The code that the app shows").fill("000 000")
  await codes.getByRole("button", { name: "Turn on" }).click()
  await expect(codes.getByRole("alert")).toContainText("This code is not right")
  await codes.getByLabel("The code that the app shows").fill(appCode(app))
  await codes.getByRole("button", { name: "Turn on" }).click()
  const backup = codes.getByRole("list", { name: "Backup codes" }).getByRole("listitem")
  await expect(backup).toHaveCount(10)
  const [one = ""] = await backup.allInnerTexts()
  await codes.getByRole("button", { name: "I keep them" }).click()
  await expect(codes.getByRole("button", { name: "Turn off" })).toBeVisible()

  for (const code of [appCode(app, 1), one]) {
    const other = await newBrowser(browser, `${origin}/login`)
    await typePassword(other, ada)
    await other.getByLabel("Code").fill(code)
    await other.getByRole("button", { name: "Sign in" }).click()
    await isIn(other)
    await other.context().close()
  }

  await codes.getByRole("button", { name: "Turn off" }).click()
  await codes.getByLabel("Your password").fill(ada.password)
  await codes.getByRole("button", { name: "Turn off" }).click()
  await expect(codes.getByRole("button", { name: "Set up" })).toBeVisible()
})

test("a person adds a passkey, signs in with it, and removes it", async ({ page, server, origin }) => {
  await firstOwner(server)
  const { session, authenticatorId } = await addAuthenticator(page)
  await page.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await typePassword(page, ada)
  const passkeys = page.getByRole("region", { name: "Passkeys" })
  await passkeys.getByLabel("Name of the new one").fill("My laptop")
  await passkeys.getByRole("button", { name: "Add a passkey" }).click()
  await expect(passkeys.getByRole("listitem")).toContainText("My laptop")
  await forget(page)
  await page.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await expect(passkeys.getByRole("listitem")).toContainText("My laptop")

  // A device that does not ask who holds it is not enough.
  await forget(page)
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
  await page.goto(`${origin}/login`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible()
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true })

  await page.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await passkeys.getByRole("button", { name: "Remove My laptop" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click()
  await expect(passkeys.getByRole("listitem")).toHaveCount(0)
  await forget(page)
  await page.goto(`${origin}/login`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Docket does not know this passkey")
})

test("an account of a provider lets in who has its verified address, and whom somebody invited", async ({
  browser,
  server,
  origin,
}) => {
  const owner = await firstOwner(server)
  const go = async (email: string) => {
    const page = await newBrowser(browser, `${origin}/login?next=/settings/sign-in-methods`)
    await page.getByRole("button", { name: "Sign in with Example" }).click()
    await signInThere(page, email)
    return page
  }
  const known = await go(ada.email)
  await expect(known).toHaveURL(`${origin}/settings/sign-in-methods`)
  await expect(known.getByRole("region", { name: "Accounts elsewhere" })).toContainText("lets you in")
  await known.context().close()

  const stranger = await go("eve@example.org")
  await expect(stranger.getByRole("main").getByRole("alert")).toContainText(
    "Nobody is invited by the address of that account",
  )
  expect((await stranger.request.get(`${origin}/api/trpc/project.list`)).status()).toBe(401)
  await stranger.context().close()

  await joinTeam(server, owner, "unverified", "member")
  const unproven = await go("unverified@example.org")
  await expect(unproven.getByRole("main").getByRole("alert")).toContainText("has not verified its e-mail address")
  await unproven.context().close()

  await owner.post("/api/trpc/team.invite", { data: { email: "Eve@example.org", role: "reviewer" } })
  const invited = await go("eve@example.org")
  await expect(invited).toHaveURL(`${origin}/settings/sign-in-methods`)
  const members = await (await owner.get("/api/trpc/team.members")).text()
  expect(members).toMatch(/"email":"eve@example\.org","role":"reviewer"/)
  await invited.context().close()
})

test("an answer of a provider that nobody asked for lets nobody in", async ({ page, server, origin }) => {
  await firstOwner(server)
  await page.goto(`${origin}/sign-in/example?code=stolen&state=made-up`)
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "That took too long, or began in another browser",
  )
  await page.goto(`${origin}/sign-in/example?error=access_denied&state=made-up&error_description=Call%20us`)
  await expect(page.getByText("Call us")).toHaveCount(0)
  expect((await page.request.get(`${origin}/api/trpc/project.list`)).status()).toBe(401)
  expect((await page.goto(`${origin}/sign-in/other`))?.url()).toContain("/login")
})

test("the login page is readable in light and dark", async ({ page, server, origin }) => {
  await firstOwner(server)
  await page.goto(`${origin}/login`)
  await expect(page.getByRole("button", { name: "Sign in with Example" })).toBeVisible()
  expect(await findViolationsInLightAndDark(page)).toEqual([])
})
