import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { openRuntime } from "../../open-runtime.ts"
import type { ReachOptions } from "../../options.ts"
import { type Service, startService } from "../../start-service.ts"
import { freePort } from "../../test/free-port.ts"
import { createTeamBrowser, type TeamBrowser } from "./team-browser.ts"

export type { TeamBrowser } from "./team-browser.ts"

/** The first owner of every team in tests. */
export const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }
export const adasSignIn = { email: ada.email, password: ada.password }

export interface TeamService extends Service {
  data: string
  /** Directory of the project that the service was started with. */
  project: string
  token: string
  /** The secret in the first owner's link. */
  firstSecret: string
  browser(cookie?: string): TeamBrowser
  /** Ada, signed in as the owner. */
  owner(): Promise<TeamBrowser>
  remove(): Promise<void>
}

/** The real service with accounts over SQLite, without web pages, on its own address. */
export async function startTeamService(
  settings: object = {},
  config: string[] = [],
  reach?: ReachOptions,
): Promise<TeamService> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-team-"))
  const project = await mkdtemp(path.join(tmpdir(), "docket-team-project-"))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await writeFile(path.join(data, "team.json"), JSON.stringify({ url: origin, ...settings }))
  const service = await startService(
    { projects: [project], port, host: "127.0.0.1", data, web: false, trust: false, config, ...(reach && { reach }) },
    { openRuntime, report: () => undefined, log: () => undefined },
  )
  const browser = (cookie = "") => createTeamBrowser(origin, { cookie })
  const firstSecret = service.loginUrl.split("#")[1] ?? ""
  return {
    ...service,
    data,
    project,
    token: (await readFile(service.tokenFile, "utf8")).trim(),
    firstSecret,
    browser,
    async owner() {
      const first = browser()
      const made = await first.post("/api/auth/first-owner", { secret: firstSecret, ...ada })
      if (!made.ok) await first.post("/api/auth/sign-in/email", adasSignIn)
      return first
    },
    async remove() {
      await service.stop()
      await Promise.all([data, project].map((place) => rm(place, { recursive: true, force: true })))
    },
  }
}
