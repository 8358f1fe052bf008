import { appCode } from "@docket/config/app-code"
import { test as base, expect } from "@playwright/test"
import { addAuthenticator } from "./fixtures/add-authenticator.ts"
import { type DocketServer, freePort, startDocket } from "./fixtures/docket-server.ts"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { type IdentityProvider, signInThere, startIdentityProvider } from "./fixtures/identity-provider.ts"
import { createProject, type Project } from "./fixtures/project.ts"
import { expectSignedIn, forget, newBrowser, setUpCodes, typePassword } from "./fixtures/signed-out.ts"
import { ada, firstOwner, joinTeam } from "./fixtures/team-people.ts"

interface Fixtures {
  project: Project
  port: number
  provider: IdentityProvider
  server: DocketServer
  /** The address of the service. */
  origin: string
}

/** A team server that also accepts accounts of a provider. */
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

test("a person signs in with a password and reaches the requested page", { tag: "@journey" }, async ({
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

test("no `next` of the login page leads to another site", async ({ browser, server, origin }) => {
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

test("a person sets up app codes, signs in and turns them off", async ({ page, browser, server, origin }) => {
  await firstOwner(server)
  await page.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await typePassword(page, ada)
  const codes = page.getByRole("region", { name: "Two-factor codes" })
  const app = await setUpCodes(page, ada)
  expect(await findViolationsInLightAndDark(page)).toEqual([])
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
    await expectSignedIn(other)
    await other.context().close()
  }

  await codes.getByRole("button", { name: "Turn off" }).click()
  await codes.getByLabel("Your password").fill(ada.password)
  await codes.getByRole("button", { name: "Turn off" }).click()
  await expect(codes.getByRole("button", { name: "Set up" })).toBeVisible()
})

test("a member with a second factor joins by invitation and a code", async ({ browser, server, origin }) => {
  const owner = await firstOwner(server)
  const bob = await joinTeam(server, owner, "Bob", "viewer")
  const enabled = await bob.browser.post("/api/auth/two-factor/enable", { data: { password: bob.password } })
  const { totpURI } = (await enabled.json()) as { totpURI: string }
  const verified = await bob.browser.post("/api/auth/two-factor/verify-totp", { data: { code: appCode(totpURI) } })
  expect(verified.status()).toBe(200)
  const members = await (await owner.get("/api/trpc/team.members")).json()
  const { person } = members.result.data.find(({ email }: { email: string }) => email === bob.email)
  expect((await owner.post("/api/trpc/team.remove", { data: { person } })).status()).toBe(200)
  const invited = await owner.post("/api/trpc/team.invite", { data: { email: bob.email, role: "viewer" } })
  const { result } = (await invited.json()) as { result: { data: { url: string } } }

  const page = await newBrowser(browser, `${origin}/join#a-link-that-was-used`)
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible()
  await page.goto(result.data.url)
  await page.getByLabel("Password", { exact: true }).fill(bob.password)
  await page.getByRole("button", { name: "Sign in and join" }).click()
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible()
  await expect(page).toHaveURL(`${origin}/login`)
  await page.getByLabel("Code").fill(appCode(totpURI, 1))
  await page.getByRole("button", { name: "Sign in" }).click()
  await expectSignedIn(page)
  // A viewer sees no hint about a button that they do not have.
  await expect(page.getByText("Sessions are listed here, by project. Members begin them.")).toBeVisible()
})

test("a person adds a passkey, signs in, renames it and removes it", async ({ page, server, origin }) => {
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

  // A device that does not verify its user is refused.
  await forget(page)
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
  await page.goto(`${origin}/login`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible()
  await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true })

  await page.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await passkeys.getByRole("button", { name: "Rename My laptop" }).click()
  await passkeys.getByLabel("New name of My laptop").fill("My phone")
  await page.keyboard.press("Enter")
  await passkeys.getByRole("button", { name: "Remove My phone" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click()
  await expect(passkeys.getByRole("listitem")).toHaveCount(0)
  await forget(page)
  await page.goto(`${origin}/login`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Docket does not know this passkey")
})

test("a provider's account signs in only members and invited people", async ({ browser, server, origin }) => {
  const owner = await firstOwner(server)
  const signInByProvider = async (email: string) => {
    const page = await newBrowser(browser, `${origin}/login?next=/settings/sign-in-methods`)
    await page.getByRole("button", { name: "Sign in with Example" }).click()
    await signInThere(page, email)
    return page
  }
  const known = await signInByProvider(ada.email)
  await expect(known).toHaveURL(`${origin}/settings/sign-in-methods`)
  const elsewhere = known.getByRole("region", { name: "Accounts elsewhere" })
  await elsewhere.getByRole("button", { name: "Unlink Example" }).click()
  await known.getByRole("dialog").getByRole("button", { name: "Unlink it" }).click()
  await expect(elsewhere).toContainText("lets you in once you sign in with it")
  await expect(elsewhere.getByRole("button")).toHaveCount(0)
  await known.context().close()

  const stranger = await signInByProvider("eve@example.org")
  await expect(stranger.getByRole("main").getByRole("alert")).toContainText(
    "Nobody is invited by the address of that account",
  )
  expect((await stranger.request.get(`${origin}/api/trpc/project.list`)).status()).toBe(401)
  await stranger.context().close()

  await joinTeam(server, owner, "unverified", "member")
  const unproven = await signInByProvider("unverified@example.org")
  await expect(unproven.getByRole("main").getByRole("alert")).toContainText("has not verified its e-mail address")
  await unproven.context().close()

  await owner.post("/api/trpc/team.invite", { data: { email: "Eve@example.org", role: "reviewer" } })
  const invited = await signInByProvider("eve@example.org")
  await expect(invited).toHaveURL(`${origin}/settings/sign-in-methods`)
  const members = await (await owner.get("/api/trpc/team.members")).text()
  expect(members).toMatch(/"email":"eve@example\.org","role":"reviewer"/)
  // Her only sign-in method cannot be removed, and joining another workspace needs no password.
  await expect(invited.getByRole("region", { name: "Accounts elsewhere" })).toContainText("is your only way in")
  await expect(invited.getByRole("button", { name: "Unlink Example" })).toHaveCount(0)
  const callAsOwner = async (procedure: string, data: object) => {
    const answer = await owner.post(`/api/trpc/${procedure}`, { data })
    return ((await answer.json()) as { result: { data: { id: string; url: string } } }).result.data
  }
  const { id } = await callAsOwner("workspace.create", { name: "Globex" })
  await callAsOwner("workspace.switch", { workspace: id })
  const { url } = await callAsOwner("team.invite", { email: "eve@example.org", role: "member" })
  await invited.goto(url)
  await expect(invited.getByText("You are signed in as eve@example.org.")).toBeVisible()
  await invited.getByRole("button", { name: "Join", exact: true }).click()
  await expectSignedIn(invited)
  await expect(invited.getByRole("button", { name: /^Workspace / })).toHaveAccessibleName("Workspace Globex")
  await invited.context().close()
})

test("the first sign-in by a provider ends all other ways in", async ({ browser, server, origin }) => {
  const owner = await firstOwner(server)
  // The owner can open an invitation link and choose a password for someone else's email address.
  const squatted = await joinTeam(server, owner, "Bob", "member")
  const enabled = await squatted.browser.post("/api/auth/two-factor/enable", { data: { password: squatted.password } })
  const { totpURI } = (await enabled.json()) as { totpURI: string }
  await squatted.browser.post("/api/auth/two-factor/verify-totp", { data: { code: appCode(totpURI) } })
  const statusOfBob = async () => (await squatted.browser.get("/api/trpc/project.list")).status()
  expect(await statusOfBob()).toBe(200)

  const bob = await newBrowser(browser, `${origin}/login?next=/settings/sign-in-methods`)
  await bob.getByRole("button", { name: "Sign in with Example" }).click()
  await signInThere(bob, squatted.email)
  await expect(bob.getByRole("region", { name: "Accounts elsewhere" })).toContainText("is your only way in")
  expect(await statusOfBob()).toBe(401)
  const other = await newBrowser(browser, `${origin}/login`)
  await typePassword(other, squatted)
  await expect(other.getByRole("main").getByRole("alert")).toContainText("is not right")
  // Only the first sign-in with the provider ends other ways in: signing in again ends nothing.
  await bob.reload()
  await forget(bob)
  await bob.goto(`${origin}/login?next=/settings/sign-in-methods`)
  await bob.getByRole("button", { name: "Sign in with Example" }).click()
  await signInThere(bob, squatted.email)
  await expect(bob).toHaveURL(`${origin}/settings/sign-in-methods`)
})

test("a provider's unrequested answer signs nobody in", async ({ page, server, origin }) => {
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
  await page.goto(`${origin}/login?ended`)
  await expect(page.getByRole("main").getByRole("alert")).toContainText("You are not signed in any more")
  await expect(page.getByRole("button", { name: "Sign in with Example" })).toBeVisible()
  expect(await findViolationsInLightAndDark(page)).toEqual([])
})
