import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { appendFileSync } from "node:fs"
import { cp, glob, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { startS3 } from "@docket/blobs/start-s3"
import { createDocketClient, type DocketClient } from "@docket/client"
import { startOwnCluster, type TestPostgres } from "@docket/db/start-postgres"
import { type DocketServer, startDocket } from "../fixtures/docket-server.ts"
import { modelConfig } from "../fixtures/model-config.ts"
import { createProject } from "../fixtures/project.ts"
import { type ScriptedModel, startScriptedModel } from "../fixtures/scripted-model.ts"
import { type Balancer, startBalancer } from "./balancer.ts"
import { type Network, openNetwork, type Room } from "./namespaces.ts"
import { startRowLog } from "./row-log.ts"
import { until } from "./until.ts"

const relay = fileURLToPath(new URL("relay.ts", import.meta.url))
/** The port of every node: each has a network of its own. */
const port = 4180

export interface RigNode {
  name: string
  room: Room
  server: DocketServer
}

/** A project that nodes of the rig work in. */
export interface RigProject {
  id: string
  directory: string
}

/** Two web nodes behind a balancer, and three workers on hosts of their own, two of which share a storage. */
export interface Cluster {
  postgres: TestPostgres
  model: ScriptedModel
  web: readonly RigNode[]
  /** Both have the directories of the storage. */
  storage: readonly RigNode[]
  /** The only one with its directories. */
  lone: RigNode
  projects: { storage: RigProject; lone: RigProject }
  /** The address of the balancer, and the token that both web nodes accept. */
  url: string
  token: string
  /** A client of the balancer. */
  client: DocketClient
  /** The address of one web node. */
  urlOf(node: RigNode): string
  /** Whether web nodes have pages. */
  hasPages: boolean
  /** Whether the clocks of some hosts are ten minutes wrong. */
  hasWrongClocks: boolean
  /** Where nodes write what they have to say. */
  logs: string
  close(): Promise<void>
}

interface ClusterOptions {
  /** A new directory, for the logs of nodes. */
  logs: string
  /** Whether web nodes serve the web app, which has to be built. */
  hasPages: boolean
}

/** @returns the reason as text when this machine cannot run it */
export async function startCluster(options: ClusterOptions): Promise<Cluster | string> {
  const network = await openNetwork()
  if (typeof network === "string") return network
  const postgres = await startOwnCluster(network.address)
  if (typeof postgres === "string") {
    network.close()
    return `PostgreSQL is not there: ${postgres}`
  }
  const resources = new AsyncDisposableStack()
  resources.defer(network.close)
  resources.defer(postgres.stop)
  const close = () => resources.disposeAsync()
  try {
    const root = await mkdtemp(path.join(tmpdir(), "docket-rig-"))
    resources.defer(() => rm(root, { recursive: true, force: true, maxRetries: 3 }))
    const model = await startScriptedModel({ host: network.address, kept: 100 })
    resources.defer(model.stop)
    const store = resources.use(await startS3(network.address))
    return { ...(await startNodes({ ...options, network, postgres, model, store: store.env, root, resources })), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Parts extends ClusterOptions {
  network: Network
  postgres: TestPostgres
  model: ScriptedModel
  /** What nodes are told of the store for contents. */
  store: Record<string, string>
  root: string
  /** What is ended at the end. */
  resources: AsyncDisposableStack
}

/** Clocks that are wrong, by host (s). All others are those of this machine. */
const wrongBy: Partial<Record<Hosts, number>> = { two: 600, web2: -600 }

type Hosts = "web1" | "web2" | "one" | "two" | "lone"
const hosts: readonly Hosts[] = ["web1", "web2", "one", "two", "lone"]

async function startNodes(parts: Parts): Promise<Omit<Cluster, "close">> {
  const { network, postgres, model, store, root, resources, logs, hasPages } = parts
  const token = randomBytes(48).toString("base64url")
  const storage = path.join(root, "storage")
  for (const name of [...hosts, "storage"]) await mkdir(path.join(root, name))
  const directories = { storage: path.join(storage, "shop"), lone: path.join(root, "lone", "shop") }
  for (const directory of Object.values(directories)) await placeProject(directory)
  const databaseUrl = new URL(postgres.url)
  databaseUrl.hostname = network.address
  const env = { DATABASE_URL: databaseUrl.href, DOCKET_SECRET_KEY: randomBytes(32).toString("base64"), ...store }

  const wrongClock = await findWrongClock()
  const start = async (name: Hosts, args: string[], project: string | null = null): Promise<RigNode> => {
    const hidden = hosts.filter((each) => each !== name).map((each) => path.join(root, each))
    if (name !== "one" && name !== "two") hidden.push(storage)
    const room = await network.open(name, hidden)
    const data = path.join(root, name, "data")
    await mkdir(data)
    await writeFile(path.join(data, "token"), `${token}\n`, { mode: 0o600 })
    const server = await startDocket({
      ...{
        project,
        data,
        port,
        args,
        env: { ...env, ...clockOf(name, wrongClock) },
        inside: room.inside,
        log: path.join(logs, `${name}.log`),
      },
      web: hasPages && name.startsWith("web"),
      // No context of delegation, so that keys of scripts are found in prompts only.
      config: modelConfig(model.url, { delegation: { envelope: false }, permission: "allow" }),
    })
    resources.defer(() => server.stop())
    return { name, room, server }
  }
  const one = await start("one", ["--role", "worker", "--storage", "shared"], directories.storage)
  await startRowLog(postgres)
  const [two, lone, web1, web2] = await Promise.all([
    start("two", ["--role", "worker", "--storage", "shared"], directories.storage),
    start("lone", ["--role", "worker"], directories.lone),
    start("web1", ["--role", "web"]),
    start("web2", ["--role", "web"]),
  ])
  const web = [web1, web2]
  const balancers: Balancer[] = []
  for (const backends of [web, [web1], [web2]]) {
    const listed = backends.map(({ name }) => ({
      name,
      socket: path.join(root, name, "front"),
      host: `127.0.0.1:${port}`,
    }))
    balancers.push(await startBalancer(listed))
  }
  for (const { close } of balancers) resources.defer(close)
  for (const { name, room } of web) resources.defer(await openFront(room, path.join(root, name, "front")))
  const [front, ...single] = balancers.map(({ url }) => url)
  const client = createDocketClient({ url: front ?? "", token })
  const projectAt = async (directory: string) =>
    (await client.project.list.query()).find((project) => project.directory === directory)
  const projects = {
    storage: await until("the storage is opened", () => projectAt(directories.storage)),
    lone: await until("the lone host is opened", () => projectAt(directories.lone)),
  }
  return {
    ...{ postgres, model, web, storage: [one, two], lone, projects, url: front ?? "", token, client, hasPages, logs },
    hasWrongClocks: wrongClock !== null,
    urlOf: (node) => single[web.indexOf(node)] ?? "",
  }
}

/** The file of libfaketime, as Debian installs it; null without it. */
async function findWrongClock(): Promise<string | null> {
  for await (const file of glob("/usr/lib/*/faketime/libfaketimeMT.so.1")) return file
  return null
}

/** The variables that set the clock of a host wrong, if libfaketime is there. Durations stay right. */
function clockOf(name: Hosts, library: string | null): Record<string, string> {
  const seconds = wrongBy[name]
  if (library === null || seconds === undefined) return {}
  return { LD_PRELOAD: library, FAKETIME: `${seconds > 0 ? "+" : ""}${seconds}s`, FAKETIME_DONT_FAKE_MONOTONIC: "1" }
}

/** Puts the files of a project into the directory. */
async function placeProject(directory: string): Promise<void> {
  const project = await createProject()
  await cp(project.directory, directory, { recursive: true })
  await project.remove()
}

/** Lets the balancer reach the web node in the room. Resolves with a function that ends it. */
async function openFront({ inside }: Room, socket: string): Promise<() => Promise<void>> {
  const [command = "", ...args] = [...inside, process.execPath, relay, socket, String(port)]
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  const exit = once(child, "exit")
  await once(child.stdout, "data")
  return async () => {
    child.kill("SIGKILL")
    await exit
  }
}

/** Notes in the logs of all nodes what the rig does. */
export function noteInLogs({ logs, web, storage, lone }: Cluster, text: string): void {
  const line = `--- ${new Date().toISOString()} ${text}\n`
  for (const { name } of [...web, ...storage, lone]) appendFileSync(path.join(logs, `${name}.log`), line)
}
