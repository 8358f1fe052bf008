import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { listen } from "../../listen.ts"
import { openRuntime } from "../../open-runtime.ts"
import { type Service, startService } from "../../start-service.ts"

/** The first owner of every team in tests. */
export const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }

/** A browser without pages: it keeps cookies and sends what a page of the service would. */
export interface TeamBrowser {
  cookie(): string
  /** Sends JSON as a page of the same origin does. */
  post(route: string, body?: object, headers?: Record<string, string>): Promise<Response>
  get(route: string, headers?: Record<string, string>): Promise<Response>
}

export interface TeamService extends Service {
  data: string
  /** Directory of the project that it was started with. */
  project: string
  token: string
  /** What is in the link of the first owner. */
  firstSecret: string
  browser(cookie?: string): TeamBrowser
  /** Ada, signed in as the owner. */
  owner(): Promise<TeamBrowser>
  remove(): Promise<void>
}

/** The real service with accounts over SQLite, without web pages, at an address of its own. */
export async function startTeamService(settings: object = {}, config: string[] = []): Promise<TeamService> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-team-"))
  const project = await mkdtemp(path.join(tmpdir(), "docket-team-project-"))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await writeFile(path.join(data, "team.json"), JSON.stringify({ url: origin, ...settings }))
  const service = await startService(
    { projects: [project], port, host: "127.0.0.1", data, web: false, trust: false, config },
    { openRuntime, report: () => undefined, log: () => undefined },
  )
  const browser = (given = ""): TeamBrowser => {
    const jar = new Map(given === "" ? [] : [given.split("=", 2) as [string, string]])
    const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const send = async (route: string, init: RequestInit & { headers: Record<string, string> }) => {
      const headers = { ...(jar.size > 0 && { cookie: cookie() }), "sec-fetch-site": "same-origin", ...init.headers }
      const response = await fetch(origin + route, { redirect: "manual", ...init, headers })
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value === "" || /max-age=0/i.test(set)) jar.delete(name)
        else jar.set(name, value)
      }
      return response
    }
    return {
      cookie,
      get: (route, headers = {}) => send(route, { headers }),
      post: (route, body = {}, headers = {}) =>
        send(route, {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json", origin, ...headers },
        }),
    }
  }
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
      if (!made.ok) await first.post("/api/auth/sign-in/email", ada)
      return first
    },
    async remove() {
      await service.stop()
      await Promise.all([data, project].map((place) => rm(place, { recursive: true, force: true })))
    },
  }
}

/** One that nobody had a moment ago: the address of a team is chosen before its service listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  const url = await listen(server, "127.0.0.1", 0)
  await new Promise((resolve) => server.close(resolve))
  return Number(new URL(url).port)
}
