import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../test/free-port.ts"
import { canMakeCertificates } from "../test/make-certificate.ts"
import { type ServiceProcess, startServiceProcess } from "../test/service-process.ts"
import { type Known, type Providers, startProviders } from "./test/start-providers.ts"
import { ada } from "./test/start-team-service.ts"
import { createTeamBrowser, type TeamBrowser } from "./test/team-browser.ts"
import { callProcedure } from "./test/team-calls.ts"

describe.skipIf(!canMakeCertificates)("signing in with GitHub and Google (skipped without openssl)", () => {
  let directory: string
  let providers: Providers
  let service: ServiceProcess
  let origin: string
  let owner: TeamBrowser
  let lastID = 100

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "docket-providers-"))
    const places = {
      home: path.join(directory, "home"),
      data: path.join(directory, "data"),
      project: path.join(directory, "project"),
    }
    for (const place of Object.values(places)) await mkdir(place)
    providers = await startProviders(directory)
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const client = { clientId: "docket", clientSecret: "s3cret" }
    await writeFile(
      path.join(places.data, "team.json"),
      JSON.stringify({ url: origin, github: client, google: client }),
    )
    service = await startServiceProcess({ ...places, port, env: providers.env })
    owner = createTeamBrowser(origin)
    const secret = service.loginUrl.split("#")[1]
    expect((await owner.post("/api/auth/first-owner", { secret, ...ada })).status).toBe(200)
  })
  afterAll(async () => {
    await service?.kill()
    await providers?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  /** A new person with an account at the provider. */
  const known = (name: string, fields: Partial<Known> = {}): Known => {
    lastID += 1
    return { id: lastID, name, email: `${name.toLowerCase()}@example.org`, verified: true, ...fields }
  }

  /** Sends a browser to the provider, where the user consents. Returns what is needed to come back. */
  async function goThere(provider: string, person: Known, { browser = createTeamBrowser(origin), next = "/s/x" } = {}) {
    const sent = await browser.post("/api/auth/provider", { provider, next })
    expect(sent.status).toBe(200)
    const page = new URL(((await sent.json()) as { url: string }).url)
    const state = page.searchParams.get("state") ?? ""
    const back = `/sign-in/${provider}?${new URLSearchParams({ code: providers.allow(page, person), state })}`
    return { browser, page, back }
  }

  const whoIs = async (browser: TeamBrowser) =>
    (await callProcedure(browser, "me.get")).data as { name: string; role: string } | undefined

  async function signIn(provider: string, person: Known) {
    const { browser, page, back } = await goThere(provider, person)
    const answer = await browser.get(back)
    return { page, back, answer, to: answer.headers.get("location"), me: await whoIs(browser) }
  }

  const invite = (email: string, role = "member") => callProcedure(owner, "team.invite", { email, role })
  const members = async () =>
    (await callProcedure(owner, "team.members")).data as { name: string; email: string; role: string }[]

  const pages = {
    github: "https://github.com/login/oauth/authorize",
    google: "https://accounts.google.com/o/oauth2/v2/auth",
  }

  describe.each(["github", "google"] as const)("%s", (provider) => {
    it("sends people to the provider and back, signed in as invited", async () => {
      const person = known(`Bob-${provider}`)
      await invite(person.email, "reviewer")
      const { page, to, me, answer } = await signIn(provider, person)
      expect(page.origin + page.pathname).toBe(pages[provider])
      expect(Object.fromEntries(page.searchParams)).toMatchObject({
        client_id: "docket",
        redirect_uri: `${origin}/sign-in/${provider}`,
        response_type: "code",
        scope: expect.stringContaining("email"),
      })
      expect(page.href).not.toContain("s3cret")
      expect([answer.status, to]).toEqual([302, `${origin}/s/x`])
      expect(me).toMatchObject({ name: person.name, role: "reviewer" })
      // From now on they need no invitation.
      expect((await signIn(provider, person)).me).toMatchObject({ name: person.name })
      expect((await members()).filter(({ email }) => email === person.email)).toHaveLength(1)
    })

    it("refuses uninvited people and addresses that the provider has not verified", async () => {
      const before = await members()
      const stranger = await signIn(provider, known(`Eve-${provider}`))
      const unverified = known(`Una-${provider}`, { verified: false })
      await invite(unverified.email)
      // An unverified address opens no existing account either.
      const thief = known("Ada", { email: ada.email, verified: false })
      for (const { me, to, answer } of [stranger, await signIn(provider, unverified), await signIn(provider, thief)]) {
        expect([answer.status, me]).toEqual([302, undefined])
        expect(to).toMatch(new RegExp(`^${origin}/login\\?error=`))
      }
      expect(await members()).toEqual(before)
    })

    it("refuses a code from another browser and a used code", async () => {
      const person = known(`Cy-${provider}`)
      await invite(person.email)
      const { back } = await goThere(provider, person)
      const victim = createTeamBrowser(origin)
      await victim.get(back)
      expect(await whoIs(victim)).toBeUndefined()
      const used = await signIn(provider, person)
      expect(used.me).toMatchObject({ name: person.name })
      const later = createTeamBrowser(origin)
      await later.get(used.back)
      expect(await whoIs(later)).toBeUndefined()
    })
  })

  it("providers that report one address share an account; successes exhaust no limit", async () => {
    const person = known("Dora")
    await invite(person.email)
    expect((await signIn("github", person)).me).toMatchObject({ name: "Dora" })
    for (let times = 0; times < 12; times += 1)
      expect((await signIn("google", person)).me).toMatchObject({ name: "Dora" })
    expect((await members()).filter(({ email }) => email === person.email)).toHaveLength(1)
    expect(providers.asked).toContain("api.github.com/user/emails")
  })
})
