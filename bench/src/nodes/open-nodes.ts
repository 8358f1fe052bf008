import { randomBytes } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { createDocketClient, type DocketClient } from "@docket/client"
import { startOwnCluster, type TestPostgres } from "@docket/db/start-postgres"
import { makeFirstOwner } from "../first-owner.ts"
import type { Stage } from "../measurement.ts"
import { createWorkplace, type Server, type Workplace } from "../workplace.ts"

/** A process that answers requests. */
export interface Entrance {
  url: string
  client: DocketClient
}

/** A service on a PostgreSQL database of its own, which does not wait for the disk. */
export interface Nodes extends AsyncDisposable {
  /** Requests and readers take these in turn. */
  entrances: readonly Entrance[]
  /** Headers of readers. */
  reader: Readonly<Record<string, string>>
  projects: readonly string[]
  /** Process ids by name. */
  processes: Readonly<Record<string, number>>
  postgres: TestPostgres
}

const hosts = 3

/** Two web nodes, and three workers, each on a host of its own. */
export async function openNodes(parts: Pick<Stage, "provider" | "checkout">): Promise<Nodes> {
  const resources = new AsyncDisposableStack()
  try {
    const postgres = await openPostgres(resources)
    const env = { DATABASE_URL: postgres.url, DOCKET_SECRET_KEY: randomBytes(32).toString("base64") }
    const token = createToken()
    const start = async (role: "web" | "worker") => {
      const workplace = await openWorkplace(parts, token, resources)
      const server = await workplace.startServer({ role, env })
      resources.defer(server.stop)
      return { role, server, directory: workplace.project }
    }
    // The first one makes the tables.
    const first = await start("worker")
    const others = await Promise.all([start("worker"), start("worker"), start("web"), start("web")])
    const workers = [first, ...others.filter(({ role }) => role === "worker")]
    const web = others.filter(({ role }) => role === "web").map(({ server }) => server)
    const entrances = web.map((server) => entrance(server, token))
    const reader = await readerAt(web[0])
    const projects = await projectsAt(
      entrances[0],
      workers.map(({ directory }) => directory),
    )
    const named = [...web.entries()].map(([index, { pid }]) => [`web ${index + 1}`, pid])
    for (const [index, { server }] of workers.entries()) named.push([`worker ${index + 1}`, server.pid])
    return {
      ...{ entrances, reader, projects, processes: Object.fromEntries(named), postgres },
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    }
  } catch (error) {
    await resources.disposeAsync()
    throw error
  }
}

/** One process that does everything, with as many projects. */
export async function openSingle(parts: Pick<Stage, "provider" | "checkout">): Promise<Nodes> {
  const resources = new AsyncDisposableStack()
  try {
    const postgres = await openPostgres(resources)
    const token = createToken()
    const workplace = await openWorkplace(parts, token, resources)
    const server = await workplace.startServer({ env: { DATABASE_URL: postgres.url } })
    resources.defer(server.stop)
    const only = entrance(server, token)
    const reader = await readerAt(server)
    const projects: string[] = []
    for (let index = 0; index < hosts; index++) {
      const directory = await workplace.addProject(`project-${index + 1}`)
      projects.push((await only.client.project.open.mutate({ directory })).id)
    }
    return {
      ...{ entrances: [only], reader, projects, processes: { service: server.pid }, postgres },
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    }
  } catch (error) {
    await resources.disposeAsync()
    throw error
  }
}

/** A team, because without accounts nobody may have so many streams. */
const team = {
  url: "http://127.0.0.1:4555",
  limits: { perPerson: 1_000_000, streams: { perCredential: 100_000, perPerson: 100_000 } },
}

async function openWorkplace(
  parts: Pick<Stage, "provider" | "checkout">,
  token: string,
  resources: AsyncDisposableStack,
): Promise<Workplace> {
  const workplace = await createWorkplace(parts)
  resources.defer(workplace.remove)
  await mkdir(workplace.data, { mode: 0o700 })
  await writeFile(path.join(workplace.data, "token"), `${token}\n`, { mode: 0o600 })
  await writeFile(path.join(workplace.data, "team.json"), JSON.stringify(team))
  return workplace
}

/** Signs the first owner in. */
async function readerAt(server: Server | undefined): Promise<Record<string, string>> {
  if (server === undefined) throw new Error("no process answers requests")
  return await makeFirstOwner(server.url, team.url, server.loginUrl)
}

function createToken(): string {
  return randomBytes(48).toString("base64url")
}

async function openPostgres(resources: AsyncDisposableStack): Promise<TestPostgres> {
  const postgres = await startOwnCluster()
  if (typeof postgres === "string") throw new Error(`PostgreSQL is not there: ${postgres}`)
  resources.defer(postgres.stop)
  return postgres
}

function entrance({ url }: Server, token: string): Entrance {
  return { url, client: createDocketClient({ url, token }) }
}

/** The ids of the projects of these directories, in their order. */
async function projectsAt(web: Entrance | undefined, directories: string[]): Promise<string[]> {
  const listed = (await web?.client.project.list.query()) ?? []
  return directories.map((directory) => {
    const found = listed.find((project) => project.directory === directory)
    if (found === undefined) throw new Error(`no node has opened ${directory}`)
    return found.id
  })
}
